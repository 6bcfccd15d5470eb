import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { connectTools } from '../support/mcp.ts'
import { publish, type SeedRow, seedProviders } from '../support/prices.ts'
import { expectGolden } from '../support/suite/goldens.ts'

const JANUARY = '2026-01-01T00:00:00.000Z' as Instant
const MARCH = '2026-03-01T12:00:00.000Z' as Instant
const AT = '2026-03-15T00:00:00Z'

const row = (provider: string, resource: string, price: string, more: Partial<SeedRow> = {}): SeedRow => ({
  ...{ provider, resource, price, ...more },
})
const output = { dimension: 'output_tokens' }

describe('what the tools answer', () => {
  const db = testDatabase()
  const api = listeningApi(db, { limited: false })
  let tools: Awaited<ReturnType<typeof connectTools>>
  let [groupId, checkedAt] = ['', '']
  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [
      { provider: 'acme' },
      { provider: 'resale' },
      { provider: 'zeta', status: 'pending' },
    ])
    const canonicalResource = 'acme/large'
    await publish(
      db.sql,
      [
        row('acme', 'large', '0.000003', { canonicalResource }),
        row('acme', 'large', '0.000015', { ...output, canonicalResource }),
        row('acme', 'large', '0.000006', { pricingTier: { context: '>200000' }, canonicalResource }),
        row('acme', 'large mini', '0.0000005'),
        row('resale', 'acme-large', '0.0000025', { canonicalResource }),
        row('resale', 'acme-large', '0.000012', output),
        row('resale', 'large-eu', '0.000001', { currency: 'EUR' }),
        row('acme', 'nightly', '0.000007'),
        row('acme', 'nightly', '0.000004', { pricingTier: { timeOfDay: '16:30Z-00:30Z' } }),
      ],
      JANUARY,
    )
    const many = Array.from({ length: 82 }, (_, n) =>
      row('acme', 'hours', `0.${n + 1}`, { dimension: `size_${n + 10}`, unit: 'usd_per_hour' }),
    )
    await publish(db.sql, many, '2026-01-02T00:00:00.000Z' as Instant)
    const wide = Array.from({ length: 104 }, (_, n) => row('acme', `wide ${n}`, `0.0000${n + 100}`))
    const tiers = Array.from({ length: 103 }, (_, n) =>
      row('acme', 'wide 0', '0.00001', { pricingTier: { region: `r${n}` } }),
    )
    await publish(db.sql, [...wide, ...tiers], '2026-01-03T00:00:00.000Z' as Instant)
    await publish(db.sql, [row('acme', 'large', '0.000002', { canonicalResource })], MARCH)
    for (const [provider, name] of Object.entries({ acme: 'many', resale: 'many', zeta: 'many' }))
      await db.sql`
        insert into resource (source, provider, resource, first_priced_at)
        select 'seed', ${provider}, ${name} || n, ${JANUARY} from generate_series(10, 20) n`
    await db.sql`
      insert into resource (source, provider, resource, canonical_resource, first_priced_at)
      select distinct source, provider, resource, canonical_resource, ${JANUARY}::timestamptz from publication
      where canonical_resource is not null or resource not in ('large', 'acme-large') on conflict do nothing`
    const members = [
      { provider: 'acme', resource: 'large' },
      { provider: 'resale', resource: 'acme-large' },
      { provider: 'resale', resource: 'large-eu' },
    ]
    groupId = (await saveGroup(db.sql, { name: 'Large', members, actor: 'test' })).id
    checkedAt = (await db.sql<{ at: string }[]>`select last_checked_at as at from source`)[0]!.at
    tools = await connectTools(api)
  })
  afterAll(() => tools.close())

  const ask = (name: string, args: Record<string, unknown> = {}) => tools.call<Record<string, unknown>>(name, args)
  const usage = [
    { dimension: 'input_tokens', quantity: 1000 },
    { dimension: 'output_tokens', quantity: '200' },
  ]

  it.each([
    ['find', 'find_resource', { query: 'large' }],
    ['find-at-provider', 'find_resource', { query: 'large', provider: 'resale' }],
    ['find-some', 'find_resource', { query: 'many', limit: 2 }],
    ['find-none', 'find_resource', { query: 'nothing' }],
    ['price-then', 'price_at', { resource: 'Large', at: '2026-02-01T00:00:00Z' }],
    ['price-in-month', 'price_at', { resource: 'large', provider: 'acme', at: '2026-03' }],
    ['price-before', 'price_at', { resource: 'large', at: '2025-12-31T12:00:00Z' }],
    ['price-of-dimension-before', 'price_at', { resource: 'large', dimension: 'output_tokens', at: '2025-12' }],
    ['price-of-dimension', 'price_at', { resource: 'large', dimension: 'output_tokens', at: AT }],
    ['history', 'price_history', { resource: 'Large', at: AT }],
    [
      'history-of-dimension',
      'price_history',
      { resource: 'large', dimension: 'input_tokens', provider: 'acme', at: AT },
    ],
    ['compare', 'compare_group', { group: 'Large', at: AT }],
    ['compare-tier', 'compare_group', { group: 'Large', at: AT, tier: { context: '>200000' } }],
    ['compare-one-currency', 'compare_group', { group: 'Large', at: AT, dimension: 'output_tokens' }],
    ['compare-none', 'compare_group', { group: 'Large', at: AT, tier: { service: 'batch' } }],
    ['cost', 'cost_of_usage', { resource: 'Large', items: usage, at: AT }],
    [
      'cost-compared',
      'cost_of_usage',
      {
        resource: 'large',
        items: usage,
        requests: 1000,
        at: AT,
        comparedWith: '2026-02-01T00:00:00Z',
        provider: 'acme',
      },
    ],
    ['providers', 'list_providers', {}],
  ])('%s: %s %j', async (golden, tool, args) => {
    await expectGolden(`mcp/${golden}`, await ask(tool, args), { [groupId]: 'GROUP', [checkedAt]: 'CHECKED' })
  })

  it('leave out what is more than they show, and say so', async () => {
    const { text, data } = await ask('price_history', { resource: 'hours', at: AT })
    expect(data).toMatchObject({ omitted: 22, lines: expect.objectContaining({ length: 60 }) })
    expect(text).toContain('\n22 more lines are left out: name a provider or a dimension.')
    const then = await ask('price_at', { resource: 'hours', at: AT })
    expect(then.data).toMatchObject({ omitted: 2, prices: expect.objectContaining({ length: 80 }) })
    expect(then.text).toContain('\n2 more prices are left out: name a provider or a dimension.')
    const members = Array.from({ length: 104 }, (_, n) => ({ provider: 'acme', resource: `wide ${n}` }))
    await saveGroup(db.sql, { name: 'Wide', members, actor: 'test' })
    const compared = await ask('compare_group', { group: 'Wide', at: AT })
    expect(compared.data).toMatchObject({
      omitted: 7,
      ranked: expect.objectContaining({ length: 100 }),
      notCompared: expect.objectContaining({ length: 100 }),
    })
    expect(compared.text).toMatch(/\n7 more prices are left out: ask price_at with a provider\.$/)
    const items = [{ dimension: 'input_tokens', quantity: 1 }]
    const cost = await ask('cost_of_usage', { resource: 'Wide', items, at: AT })
    expect(cost.data).toMatchObject({ omitted: 64, costs: expect.objectContaining({ length: 40 }) })
    expect(cost.text).toMatch(/\n64 more sellers are left out: name a provider\.$/)
  })

  it('show 25 matches where no limit is given, and at most five names that come close', async () => {
    const { data, text } = await ask('find_resource', { query: 'many' })
    expect(data).toMatchObject({ total: 33, matches: expect.objectContaining({ length: 25 }) })
    expect(text).toContain('\n8 more: add a word or a provider.')
    const near = await ask('price_at', { resource: 'many' })
    expect(near).toMatchObject({ isError: true, text: expect.stringMatching(/^Nothing is called many\. Near it: /) })
    expect(near.text.match(/many\d+ of /g)).toHaveLength(5)
  })

  it('have confirmed prices alone where those are asked for, at the beginning of a period too', async () => {
    const confirmed = 'provider'
    for (const at of [AT, '2026-03']) {
      const { data } = await ask('price_at', { resource: 'large', at, confirmed })
      expect(data).toMatchObject({ prices: [], omitted: 0 })
    }
    const compared = await ask('compare_group', { group: 'Large', at: AT, confirmed })
    expect(compared).toMatchObject({
      isError: true,
      text: expect.stringContaining('No price of input_tokens of Large'),
    })
    expect(compared.text).not.toContain('These dimensions')
  })

  it('have one dimension alone where that is asked for, at the beginning of a period too', async () => {
    const { data } = await ask('price_at', { resource: 'large', at: '2026-03', dimension: 'output_tokens' })
    const { prices } = data as { prices: { dimension: string; provider: string }[] }
    expect(prices.map(({ dimension, provider }) => `${provider} ${dimension}`)).toEqual([
      'acme output_tokens',
      'resale output_tokens',
    ])
  })

  it('take the time of day from an instant, and from no day', async () => {
    const cost = async (at: string) => {
      const items = [{ dimension: 'input_tokens', quantity: 1_000_000 }]
      const { data } = await ask('cost_of_usage', { resource: 'nightly', items, at })
      return (data as { costs: { total: object }[] }).costs.map(({ total }) => total)
    }
    expect(await cost('2026-03-15T20:00:00Z')).toEqual([{ USD: '4' }])
    expect(await cost('2026-03-15T12:00:00Z')).toEqual([{ USD: '7' }])
    expect(await cost('2026-03-15')).toEqual([{ USD: '7' }])
  })

  it('say that no price was published then, where a history is asked for', async () => {
    const { data, text } = await ask('price_history', { resource: 'large', at: '2025-12-31T12:00:00Z' })
    expect(data).toMatchObject({ lines: [], omitted: 0 })
    expect(text).toMatch(/read at asOf 2025-12-31T12:00:00\.000Z:\nNo price was published then\.$/)
  })

  it('read a period that is not over up to now, and none that has not begun', async () => {
    const year = new Date().getUTCFullYear()
    expect((await ask('price_at', { resource: 'large', at: String(year) })).isError).toBe(false)
    for (const at of [String(year + 1), new Date(Date.now() + 60_000).toISOString()]) {
      const refused = { isError: true, text: `${at} is in the future: nothing is recorded yet.` }
      expect(await ask('price_at', { resource: 'large', at })).toMatchObject(refused)
    }
  })

  it('read the newest instant that can be read where a later one is named', async () => {
    const now = Date.now()
    const { data } = await ask('price_at', { resource: 'large', at: new Date(now - 60_000).toISOString() })
    const read = Date.parse(String(data.asOf))
    expect(read).toBeLessThanOrEqual(Date.now() - 15 * 60_000)
    expect(read).toBeGreaterThan(now - 16 * 60_000)
  })

  it.each([
    ['price_at', { resource: 'nothing', at: AT }, 'Nothing is called nothing.'],
    ['price_at', { resource: 'large', provider: 'nobody', at: AT }, 'There is no provider nobody'],
    [
      'price_at',
      { resource: 'large mini', provider: 'resale', at: AT },
      'resale does not sell large mini. These do: acme',
    ],
    [
      'compare_group',
      { group: 'Large', dimension: 'hours', at: AT },
      'These dimensions have prices: input_tokens, output_tokens.',
    ],
    [
      'compare_group',
      { group: 'wide 1', dimension: 'hours', at: AT },
      'at asOf 2026-03-15T00:00:00.000Z. These dimensions have prices: input_tokens.',
    ],
    ['compare_group', { group: 'Large', at: '2025-12-31T12:00:00Z' }, 'at asOf 2025-12-31T12:00:00.000Z.'],
    [
      'cost_of_usage',
      { resource: 'Large', items: usage, at: '2025-12-31T12:00:00Z' },
      'No price of Large was published at asOf 2025-12-31T12:00:00.000Z: ask for another time.',
    ],
    ['price_evidence', { contentHash: '0'.repeat(64) }, '(price_not_found, parameter contentHash)'],
    ['price_evidence', { contentHash: 'x' }, 'is the contentHash of a price'],
  ])('%s %j: an error says what to do', async (tool, args, message) => {
    const answer = await ask(tool, args)
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(message) })
    // Nothing is offered where there is nothing.
    expect(answer.text).not.toMatch(/: \.|undefined/)
  })

  it('say which setting is wrong where the key is not accepted', async () => {
    const stranger = await connectTools({ url: api.url, key: `ptk_${'x'.repeat(43)}` })
    const { text } = await stranger.call('list_providers')
    expect(text).toContain('Set PRICETAPE_API_KEY to a key of this installation.')
    await stranger.close()
  })
})
