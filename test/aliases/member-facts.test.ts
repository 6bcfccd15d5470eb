import { beforeAll, describe, expect, it } from 'vitest'
import { memberFacts } from '../../src/aliases/member-store.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'

describe('what events say of the members of a group', () => {
  const db = testDatabase()
  const snapshotHash = 'a'.repeat(64)
  const member = (resource: string, provider = 'acme') => ({ provider, resource })
  const factsOf = async (...members: { provider: string; resource: string }[]) =>
    [...(await db.sql.begin((tx) => memberFacts(tx, members)))].sort(([a], [b]) => (a < b ? -1 : 1))

  /** Prices of one source, each of them `resource dimension canonical id service`. */
  const ingest = (source: string, prices: string[], provider = 'acme') =>
    ingestPrices(db.sql, {
      source: { source, format: 'curated', intervalSeconds: 3600, primary: true, options: {} },
      ...{ snapshotHash, parserVersion: 1, quiet: true },
      parsed: {
        providers: [{ provider, name: 'Acme' }],
        observations: prices.map((text, n) => {
          const [resource, dimension, canonicalResource, service] = text.split(' ')
          return {
            ...{ provider, resource: resource!, dimension: dimension as 'input_tokens', canonicalResource },
            ...{ unit: 'usd_per_token', currency: 'USD', pricingTier: service ? { service } : {} },
            ...{ price: '0.000001', locator: `/${n}` },
          }
        }),
        ignored: [],
      },
    })

  beforeAll(async () => {
    await addProviders(db.sql, ['acme', 'frost'])
    await db.sql`
      insert into snapshot (hash, size, bytes, created_at) values (${snapshotHash}, 0, '', clock_timestamp())`
    await ingest('second', ['m output_tokens maker/z', 'm input_tokens maker/z', 'n input_tokens maker/n'])
    await ingest('first', ['m output_tokens maker/a', 'm input_tokens maker/a', 'own input_tokens'])
    await ingest('other seller', ['m input_tokens maker/f'], 'frost')
    // As before a check has counted how they charge.
    await db.sql`delete from provider_pricing`
    await db.sql`
      insert into provider_pricing (provider, at, in_credits, in_usd)
      values ('frost', '2026-01-01', false, true), ('frost', '2026-03-01', true, true), ('frost', '2026-02-01', false, true)`
  })

  it('are its canonical ids, each once, and its price lines, by source and dimension', async () => {
    const [m, n, own] = (await factsOf(member('own'), member('n'), member('m'))).map(([, facts]) => facts)
    const lines = (facts: { lines: { source: string; dimension: string }[] }) =>
      facts.lines.map(({ source, dimension }) => `${source} ${dimension}`)
    expect(m).toMatchObject({ canonicalResources: ['maker/a', 'maker/z'], creditPriced: false })
    expect(lines(m!)).toEqual([
      'first input_tokens',
      'first output_tokens',
      'second input_tokens',
      'second output_tokens',
    ])
    expect([n!.canonicalResources, lines(n!)]).toEqual([['maker/n'], ['second input_tokens']])
    expect([own!.canonicalResources, lines(own!)]).toEqual([[], ['first input_tokens']])
  })

  it('are its price lines of one dimension by their tier', async () => {
    const tiers = ['flex', 'batch', 'priority', 'fast'].map((service) => `tiers input_tokens maker/t ${service}`)
    await ingest('tiers', tiers)
    const [facts] = (await factsOf(member('tiers'))).map(([, one]) => one)
    const services = facts!.lines.map(({ pricingTier }) => pricingTier.service)
    expect(services).toEqual(['batch', 'fast', 'flex', 'priority'])
  })

  it('say nothing of lines that were removed, nor of rows that are not served', async () => {
    await ingest('third', ['partly output_tokens', 'partly input_tokens'])
    await ingest('fourth', ['partly output_tokens', 'partly input_tokens'])
    await db.sql`update price_line set removed_at = now() where source = 'third' and dimension = 'input_tokens'`
    await db.sql`
      update publication set unpublished_at = published_at + interval '1 s'
      where source = 'fourth' and dimension = 'input_tokens'`
    const [facts] = (await factsOf(member('partly'))).map(([, one]) => one)
    expect(facts!.lines.map(({ source, dimension }) => `${source} ${dimension}`)).toEqual([
      ...['fourth output_tokens', 'third output_tokens'],
    ])
  })

  it('say whether its provider counts in credits now, and nothing more of a name that no source has', async () => {
    expect(await factsOf(member('none', 'frost'), member('none'))).toEqual([
      [expect.stringContaining('acme'), { canonicalResources: [], creditPriced: false, lines: [] }],
      [expect.stringContaining('frost'), { canonicalResources: [], creditPriced: true, lines: [] }],
    ])
    expect(await factsOf()).toEqual([])
  })
})
