import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { acceptProposals } from '../../src/aliases/accept-proposals.ts'
import { createFirstGroups } from '../../src/aliases/create-first-groups.ts'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { listAliases, listGroups } from '../../src/aliases/list-groups.ts'
import { proposeGroups } from '../../src/aliases/propose-groups.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { exampleOffer } from '../../src/prices/store/example-store.ts'
import { importHistory } from '../../src/roles/import-history.ts'
import { newest } from '../collectors/pages/samples.ts'
import { parseAs } from '../collectors/support.ts'
import { testDatabase } from '../support/database.ts'
import { launch } from '../support/installation.ts'

const OPTIONS = { intervalSeconds: 3600, primary: true, options: {} }

describe('the alias groups of a first start', () => {
  const db = testDatabase({ each: true })
  const prepare = (...args: string[]) => {
    const { PATH, HOME } = process.env
    const secretKey = randomBytes(32).toString('base64')
    return launch('src/main.js', ['--role', 'migrate', ...args], {
      PATH,
      HOME,
      DATABASE_URL: db.url,
      PRICETAPE_SECRET_KEY: secretKey,
    })
  }
  const counts = async () => {
    const [row] = await db.sql`
      select (select count(*)::int from alias_group) as groups, (select count(*)::int from workspace) as workspaces,
             (select count(*)::int from event) as events`
    return row
  }

  it('are the 254 that names in the imported history suggest, and nothing stays proposed', async () => {
    const prepared = await prepare()
    expect(await prepared.exited, prepared.said()).toBe(0)
    expect(prepared.said()).toContain('254 alias groups created')
    expect(await counts()).toEqual({ groups: 254, workspaces: 1, events: 0 })
    expect(await proposeGroups(db.sql)).toEqual([])
    const { groups, version } = await listAliases(db.sql)
    expect(version).toBe(254)
    const one = groups.find(({ resource }) => resource === 'gpt-oss-120b')!
    expect(one).toMatchObject({ revision: 1, retired: false })
    expect(new Set(one.members.map(({ provider }) => provider)).size).toBe(18)

    // The start screen quotes a maker at the price on its own page, as it was recorded.
    const offer = (await exampleOffer(db.sql))!
    expect(offer).toEqual({
      ...{ group: 'glm-5.2', dimension: 'output_tokens', sellers: 9, provider: 'zai', price: '0.0000044' },
    })
    const page = parseAs('zai-page')(newest('zai-page'), { at: '2026-10-12T00:00:00Z' })
    expect(page.observations).toContainEqual(
      expect.objectContaining({
        ...{ provider: offer.provider, canonicalResource: `zai/${offer.group}`, price: offer.price },
        ...{ dimension: offer.dimension, pricingTier: {} },
      }),
    )

    // A group that a person deleted does not come back with the next start.
    await deleteGroup(db.sql, { id: one.id, actor: 'test' })
    const again = await prepare()
    expect(await again.exited, again.said()).toBe(0)
    expect(await listGroups(db.sql)).toHaveLength(253)
  })

  it('are all there or none when the start is killed while it creates them, and the next start goes on', async () => {
    const until = ['--import-until', '2025-12-01T00:00:00Z']
    const blocked = await db.sql.reserve()
    await blocked`begin`
    await blocked`lock table alias_member in share row exclusive mode`
    const killed = await prepare(...until)
    for (;;) {
      const waiting = await db.sql`
        select from pg_locks
        where relation = 'alias_member'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())
      `
      if (waiting.length > 0) break
      if (killed.process.exitCode !== null) throw new Error(killed.said())
      await sleep(50)
    }
    await killed.stop('SIGKILL')
    await blocked`rollback`
    blocked.release()
    expect(await counts()).toEqual({ groups: 0, workspaces: 0, events: 0 })
    const next = await prepare(...until)
    expect(await next.exited, next.said()).toBe(0)
    expect(next.said()).not.toContain('prices recorded')
    const { groups, workspaces } = (await counts())!
    expect(groups).toBeGreaterThan(50)
    expect(workspaces).toBe(1)
  })

  it('are not created where a person made groups before: what names suggest stays proposed', async () => {
    const sources = [{ source: 'genai-prices', bundled: true, format: 'genai-prices', ...OPTIONS }]
    await importHistory(db.sql, sources, { progress: silent, until: '2025-12-01T00:00:00.000Z' as Instant })
    const proposed = await proposeGroups(db.sql)
    await acceptProposals(db.sql, { names: [proposed[0]!.name], actor: 'test' })
    expect(await createFirstGroups(db.sql)).toBe(0)
    expect(await proposeGroups(db.sql)).toHaveLength(proposed.length - 1)
  })
})
