import { beforeEach, describe, expect, it } from 'vitest'
import { acceptProposals } from '../../src/aliases/accept-proposals.ts'
import { listGroups } from '../../src/aliases/list-groups.ts'
import { proposeGroups } from '../../src/aliases/propose-groups.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { canonicalOf } from '../../src/collectors/reading/canonical-ids.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { testDatabase } from '../support/database.ts'

const source = { source: 'list', format: 'curated', intervalSeconds: 3600, primary: true, options: {} }

describe('proposing and accepting', () => {
  const db = testDatabase({ each: true })
  beforeEach(async () => {
    const snapshotHash = 'b'.repeat(64)
    await db.sql`insert into snapshot (hash, size, bytes, created_at) values (${snapshotHash}, 0, '', now())`
    const sold = [
      ['anthropic', 'claude-sonnet-4-5'],
      ['openrouter', 'anthropic/claude-sonnet-4.5'],
      ['openai', 'o3'],
      ['azure', 'o3'],
    ] as const
    await ingestPrices(db.sql, {
      source,
      snapshotHash,
      parserVersion: 1,
      quiet: true,
      parsed: {
        providers: [...new Set(sold.map(([provider]) => provider))].map((provider) => ({ provider, name: provider })),
        observations: sold.map(([provider, resource]) => ({
          provider,
          resource,
          dimension: 'input_tokens',
          unit: 'usd_per_token',
          currency: 'USD',
          pricingTier: {},
          price: '0.000003',
          locator: '/',
          canonicalResource: canonicalOf(provider, resource),
        })),
        ignored: [],
      },
    })
  })
  const names = async () => (await proposeGroups(db.sql)).map((item) => item.name)

  it('changes nothing until somebody accepts', async () => {
    expect(await names()).toEqual(['claude-sonnet-4-5', 'o3'])
    expect(await listGroups(db.sql)).toEqual([])
  })

  it('saves what was accepted, with its events, and then proposes it no more', async () => {
    const saved = await acceptProposals(db.sql, { names: ['O3'], actor: 'ada' })
    expect(saved.map((item) => [item.name, item.revision, item.joined.length])).toEqual([['o3', 1, 2]])
    expect(await names()).toEqual(['claude-sonnet-4-5'])
    const [events] = await db.sql`select count(*)::integer as n from event where type = 'alias.member_added'`
    expect(events).toEqual({ n: 2 })
    expect(await acceptProposals(db.sql, { names: ['o3'], actor: 'ada' })).toEqual([])
  })

  it('proposes what a group there is lacks, and keeps the rest of it', async () => {
    const own = { provider: 'openai', resource: 'our-own-choice' }
    const listed = { provider: 'openrouter', resource: 'anthropic/claude-sonnet-4.5' }
    const { id } = await saveGroup(db.sql, { name: 'My Sonnet', members: [own, listed], actor: 'ada' })
    const [proposal] = await proposeGroups(db.sql)
    expect(proposal).toMatchObject({
      name: 'My Sonnet',
      groupId: id,
      joins: [{ provider: 'anthropic', resource: 'claude-sonnet-4-5' }],
    })
    await acceptProposals(db.sql, { names: 'all', actor: 'ada' })
    expect((await listGroups(db.sql)).find((group) => group.id === id)?.members).toHaveLength(3)
    expect(await names()).toEqual([])
  })
})
