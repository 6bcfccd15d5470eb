import { beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { aliasesAnswer, catalogAnswer, providersAnswer } from '../../src/api/schema.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { recordGoodFetch } from '../../src/catalog/snapshots/good-fetch-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { settleFetched } from '../../src/prices/confirmation/settle-confirmations.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { model, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { seedProviders } from '../support/prices.ts'

describe('the directory, the aliases and the catalog', () => {
  const db = testDatabase({ each: true })
  const api = testApi(db)
  const aliases = async (): Promise<z.infer<typeof aliasesAnswer>> =>
    aliasesAnswer.parse((await api.get('/v1/comparison/aliases')).json)
  const group = async (name: string) => (await aliases()).groups.find((item) => item.resource === name)
  const catalog = async (provider: string) => {
    const answer = await api.get(`/v1/catalog?provider=${provider}`)
    expect(answer.status, answer.text).toBe(200)
    return catalogAnswer.parse(answer.json)
  }

  beforeEach(async () => {
    await snapshot(db.sql, 'list-a', [
      ...model('m1', 0.000001, { canonicalResource: 'acme/m1' }),
      ...model('m2', 0.000003),
      observed('g1', 'output_tokens', '0.00002', { provider: 'globex' }),
    ])
    await db.sql`
      update source set last_good_at = clock_timestamp(), last_checked_at = clock_timestamp() where source = 'list-a'`
    await seedProviders(db.sql, undefined, [
      { provider: 'newcomer', status: 'pending' },
      { provider: 'gone', status: 'retired' },
    ])
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values ('seed', 'acme', 'terms-of-use', 'Terms', 'https://acme.example/terms', clock_timestamp())`
  })

  it('the directory shows status, activatedAt and freshness of each provider, but no retired ones', async () => {
    const { providers } = providersAnswer.parse((await api.get('/v1/providers')).json)
    expect(providers.map((item) => [item.provider, item.status, item.activatedAt !== null, item.freshness])).toEqual([
      ['acme', 'active', true, 'fresh'],
      ['globex', 'active', true, 'fresh'],
      ['newcomer', 'pending', false, 'fresh'],
    ])
    await db.sql`update source set last_good_at = clock_timestamp() - interval '4 h' where source = 'list-a'`
    await db.sql`update source set last_good_at = null where source = 'seed'`
    const later = providersAnswer.parse((await api.get('/v1/providers')).json).providers
    expect(later.map((item) => item.freshness)).toEqual(['stale', 'stale', 'unknown'])
    await db.sql`update source set last_good_at = clock_timestamp() where source = 'list-a'`
  })

  it('freshness is that of the sources that are served for a provider, not of lists that name it too', async () => {
    const list = sourceDeclaration.parse({ source: 'list-b', format: 'hand' })
    const page = sourceDeclaration.parse({
      ...{ source: 'page', format: 'hand', rank: 'provider', speaksFor: ['initech'] },
    })
    const initech = (resource: string, more: Partial<Observation> = {}) =>
      model(resource, 0.000001, { provider: 'initech', ...more })
    await snapshot(db.sql, 'list-b', [...initech('i1'), ...model('u1', 0.000001, { provider: 'umbrella' })], {
      source: list,
    })
    await snapshot(db.sql, 'page', initech('i1'), { source: page })
    const read = (source: string, ago: string | null) =>
      db.sql`update source set last_good_at = clock_timestamp() - ${ago}::interval where source = ${source}`
    const freshness = async () => {
      const { providers } = providersAnswer.parse((await api.get('/v1/providers')).json)
      return Object.fromEntries(providers.map(({ provider, freshness }) => [provider, freshness]))
    }
    // Both came with the product and were never read at their origin.
    expect(await freshness()).toMatchObject({ initech: 'unknown', umbrella: 'unknown' })
    await read('list-b', '0')
    expect(await freshness()).toMatchObject({ initech: 'unknown', umbrella: 'fresh' })
    await read('page', '4 h')
    expect(await freshness()).toMatchObject({ initech: 'stale' })
    await read('page', '0')
    await read('list-b', '4 h')
    expect(await freshness()).toMatchObject({ initech: 'fresh', umbrella: 'stale' })
    // One of several that are served for it is enough.
    await snapshot(
      db.sql,
      'list-b',
      [...initech('i1'), ...initech('i2'), ...model('u1', 0.000001, { provider: 'umbrella' })],
      { source: list },
    )
    expect(await freshness()).toMatchObject({ initech: 'stale' })
    await read('list-b', '0')
    expect(await freshness()).toMatchObject({ initech: 'fresh', umbrella: 'fresh' })
    // The list is read well, and what it said of a provider is not in it any more.
    await snapshot(db.sql, 'list-b', initech('i2'), { source: list })
    expect(await freshness()).toMatchObject({ initech: 'fresh', umbrella: 'stale' })
  })

  it('freshness and confirmedAt are those of the prices, not of the download of a list', async () => {
    const source = sourceDeclaration.parse({ source: 'hooli-list', format: 'hand' })
    const hooli = (...names: string[]) => names.flatMap((name) => model(name, 0.000001, { provider: 'hooli' }))
    const read = async (...names: string[]) => {
      await snapshot(db.sql, 'hooli-list', hooli(...names, 'u'), { source })
      await publishing(db.sql, async (tx, stamp) => {
        await recordGoodFetch(tx, 'hooli-list', stamp.at)
        await settleFetched(tx, stamp, 'hooli-list')
        await tx`update source set last_good_at = ${stamp.at} where source = 'hooli-list'`
      })
      const [row] = await db.sql<{ at: Instant }[]>`select max(at) as at from good_fetch where source = 'hooli-list'`
      return row!.at
    }
    const hooliNow = async () => {
      const { providers } = providersAnswer.parse((await api.get('/v1/providers')).json)
      const { freshness, confirmedAt } = providers.find(({ provider }) => provider === 'hooli')!
      const { resources } = await catalog('hooli')
      return { freshness, confirmedAt, resources: resources.map((one) => `${one.resource} ${one.confirmedAt}`) }
    }
    const first = await read('a', 'b', 'c')
    const all = ['a', 'b', 'c', 'u'].map((name) => `${name} ${first}`)
    expect(await hooliNow()).toEqual({ freshness: 'fresh', confirmedAt: first, resources: all })
    const second = await read('b')
    expect(await hooliNow()).toEqual({
      freshness: 'fresh',
      confirmedAt: second,
      resources: [`a ${first}`, `b ${second}`, `c ${first}`, `u ${second}`],
    })
    await read()
    expect(await hooliNow()).toMatchObject({ freshness: 'stale' })
    const last = await read('a', 'b', 'c')
    expect(await hooliNow()).toMatchObject({ freshness: 'fresh' })
    await db.sql`
      insert into contradicted_line (line_id, price, other_price, sources, since)
      select line_id, 0.000001, 0.000002, '{page}', ${last} from price_line
      where provider = 'hooli' and resource <> 'u' and dimension = 'input_tokens' or resource in ('a', 'b')`
    expect(await hooliNow()).toMatchObject({ freshness: 'stale' })
  })

  it("activatedAt is the instant of a provider's first price, and null for one that is older than the directory", async () => {
    await snapshot(db.sql, 'history', model('m', 0.000001, { provider: 'elder' }), { quiet: true })
    const { at } = await snapshot(db.sql, 'list-c', model('m', 0.000001, { provider: 'younger' }))
    await snapshot(db.sql, 'list-c', model('m', 0.000002, { provider: 'younger' }))
    const { providers } = providersAnswer.parse((await api.get('/v1/providers')).json)
    const of = (slug: string) => providers.find(({ provider }) => provider === slug)
    expect(of('elder')).toMatchObject({ status: 'active', activatedAt: null })
    expect(of('younger')).toMatchObject({ status: 'active', activatedAt: at })
  })

  it('the catalog holds what a webhook filter can use: resources with dimensions, documents with urls', async () => {
    const answer = await catalog('acme')
    expect(answer.updatedAt).not.toBeNull()
    expect(answer.resources).toEqual([
      {
        resource: 'm1',
        canonicalResource: 'acme/m1',
        dimensions: ['input_tokens', 'output_tokens'],
        confirmedAt: null,
      },
      { resource: 'm2', canonicalResource: null, dimensions: ['input_tokens', 'output_tokens'], confirmedAt: null },
    ])
    expect(answer.docs).toEqual([{ doc: 'terms-of-use', url: 'https://acme.example/terms' }])
  })

  it('resources and dimensions that are not listed any more are left out', async () => {
    await db.sql`update resource set removed_at = clock_timestamp() where resource = 'm2'`
    await db.sql`
      update price_line set removed_at = clock_timestamp() where resource = 'm1' and dimension = 'output_tokens'`
    expect((await catalog('acme')).resources).toEqual([
      { resource: 'm1', canonicalResource: 'acme/m1', dimensions: ['input_tokens'], confirmedAt: null },
    ])
    expect((await aliases()).resources.map(({ resource }) => resource)).toEqual(['m1', 'g1'])
  })

  it('a provider without a catalog yet gives updatedAt null with empty lists', async () => {
    expect(await catalog('newcomer')).toEqual({ updatedAt: null, resources: [], docs: [] })
  })

  it('a provider that sells nothing any more keeps the time of its catalog, with empty lists', async () => {
    await db.sql`
      insert into resource (source, provider, resource, first_priced_at, removed_at)
      values ('seed', 'gone', 'm', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z')`
    expect(await catalog('gone')).toEqual({ updatedAt: '2026-02-01T00:00:00.000Z', resources: [], docs: [] })
    await db.sql`delete from resource where provider = 'gone'`
  })

  it('a provider with documents and no prices has a catalog of documents', async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'lawful', status: 'pending' }])
    await db.sql`
      insert into source (source, kind, format, interval_seconds) values ('lawful-terms', 'terms', 'html', 3600)`
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values ('lawful-terms', 'lawful', 'usage-policy', 'Usage policy', 'https://lawful.example/policy', '2026-03-01T00:00:00Z')`
    const docs = [{ doc: 'usage-policy', url: 'https://lawful.example/policy' }]
    expect(await catalog('lawful')).toEqual({ updatedAt: '2026-03-01T00:00:00.000Z', resources: [], docs })
  })

  it('an unknown or missing provider gives 404 provider_not_found', async () => {
    for (const query of ['', '?provider=', '?provider=nobody', '?provider=%00']) {
      const answer = await api.get(`/v1/catalog${query}`)
      expect(answer.status).toBe(404)
      expect((answer.json as { error: object }).error).toMatchObject({ code: 'provider_not_found', field: 'provider' })
    }
    expect((await api.get('/v1/catalog?provider=acme&provider=globex')).status).toBe(400)
  })

  it('unknown parameters are refused by name on every endpoint', async () => {
    for (const path of ['/v1/providers?x=1', '/v1/comparison/aliases?x=1', '/v1/catalog?provider=acme&x=1']) {
      const answer = await api.get(path)
      expect([answer.status, (answer.json as { error: { field: string } }).error.field]).toEqual([400, 'x'])
    }
  })

  it('an alias group has id, name, revision, updatedAt and exact members; canReview is false for a key', async () => {
    const members = [
      { provider: 'globex', resource: 'g1' },
      { provider: 'acme', resource: 'm2' },
    ]
    const { id } = await saveGroup(db.sql, { name: 'Listed', members, actor: 'test' })
    const listed = await group('Listed')
    expect(listed).toMatchObject({ id, resource: 'Listed', revision: 1, retired: false })
    expect(listed?.members).toEqual([members[1], members[0]])
    expect((await aliases()).canReview).toBe(false)
  })

  it('version rises with every change to any group, deletions included, and can exceed every revision', async () => {
    const { version } = await aliases()
    const { id } = await saveGroup(db.sql, {
      name: 'Brief',
      members: [{ provider: 'acme', resource: 'm1' }],
      actor: 't',
    })
    expect((await aliases()).version).toBe(version + 1)
    await deleteGroup(db.sql, { id, actor: 'test' })
    const after = await aliases()
    expect(after.version).toBe(version + 2)
    expect(after.version).toBeGreaterThan(Math.max(...after.groups.map((item) => item.revision)))
    expect(after.groups.map((item) => item.resource)).not.toContain('Brief')
  })

  it('comparisonResource is the name of the group, else the canonical id, else the own name', async () => {
    const of = async (resource: string) =>
      (await aliases()).resources.find((item) => item.resource === resource)?.comparisonResource
    await saveGroup(db.sql, { name: 'Listed', members: [{ provider: 'acme', resource: 'm2' }], actor: 'test' })
    expect(await of('m1')).toBe('acme/m1')
    expect(await of('m2')).toBe('Listed')
    await snapshot(db.sql, 'list-b', [
      observed('solo', 'requests', '1', { provider: 'globex', unit: 'usd_per_request' }),
    ])
    expect(await of('solo')).toBe('solo')
  })

  it('unpriced lists members not seen priced for a week', async () => {
    const members = [
      { provider: 'acme', resource: 'm1' },
      { provider: 'acme', resource: 'not-yet-sold' },
    ]
    await saveGroup(db.sql, { name: 'Sold later', members, actor: 'test' })
    const unpriced = async () =>
      (await aliases()).unpriced.filter((item) => item.group === 'Sold later').map((item) => item.resource)
    expect(await unpriced()).toEqual(['not-yet-sold'])
    const seenBefore = (age: string) => db.sql`
      update source set last_good_at = clock_timestamp() - ${age}::interval where source = 'list-a'`
    await seenBefore('6 d 23 h')
    expect(await unpriced()).toEqual(['not-yet-sold'])
    await seenBefore('7 d 1 min')
    expect(await unpriced()).toEqual(['m1', 'not-yet-sold'])
  })

  it('a group is retired, with empty members, only when no member is listed any more', async () => {
    const members = [
      { provider: 'gone', resource: 'x' },
      { provider: 'globex', resource: 'solo' },
    ]
    await snapshot(db.sql, 'list-b', [
      observed('solo', 'requests', '1', { provider: 'globex', unit: 'usd_per_request' }),
    ])
    await saveGroup(db.sql, { name: 'Fading', members, actor: 'test' })
    expect(await group('Fading')).toMatchObject({ retired: false, members: [members[1]] })
    await publishing(db.sql, async (tx) => {
      await tx`update source set declared = false, ended_at = clock_timestamp() where source = 'list-b'`
    })
    expect(await group('Fading')).toMatchObject({ retired: true, members: [] })
  })
})
