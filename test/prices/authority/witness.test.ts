import { describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { familyOf } from '../../../src/prices/plan/evidence/origin-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { otherPrices } from '../../../src/prices/store/evidence-store.ts'
import { type Claim, witnessesOf } from '../../../src/prices/store/witness-store.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { day, model, observed } from '../observed.ts'
import { declareLists, snapshot } from '../support.ts'

const db = testDatabase({ each: true })
const witnessing = (source: string, format = 'index') =>
  sourceDeclaration.parse({ source, format, witness: true, primary: false })

async function testify(source: string, observations: Observation[], n: number, format?: string) {
  const declared = witnessing(source, format)
  const { parsed, snapshotHash } = await inputOf(observations, n)
  return recordWitnessPrices(db.sql, { source: declared, snapshotHash, parserVersion: 1, parsed, at: day(n) })
}

/** A stored snapshot with these observations. */
async function inputOf(observations: Observation[], n: number) {
  const bytes = Buffer.from(JSON.stringify([observations, n]))
  const parsed = { providers: [{ provider: 'acme', name: 'Acme' }], observations, ignored: [] }
  return { parsed, snapshotHash: await storeSnapshot(db.sql, { bytes, at: day(n) }) }
}

const claimOf = (resource: string, more: Partial<Claim> = {}): Claim => ({
  key: resource, provider: 'acme', resource, dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD',
  pricingTier: '{}', ...more,
}) // biome-ignore format: a line
const proof = { url: 'https://acme.example/pricing', confidence: 'verified', validatedOn: '2026-01-02' }

describe('a witness source', () => {
  const api = testApi(db)

  it('has no price in the history, whatever filter asks for it', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    await testify('index', [observed('m', 'input_tokens', '0.000777'), observed('unknown', 'input_tokens', '0.1')], 2)
    for (const query of ['', '?providers=acme']) {
      const answer = await api.get(`/v1/prices/history${query}`)
      expect(answer.text).toContain('"served"')
      expect(answer.text).not.toMatch(/0\.000777|unknown|index/)
    }
  })

  it('adds nothing to the catalog and no provider', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    const before = [await api.get('/v1/catalog'), await api.get('/v1/providers')].map(({ text }) => text)
    const other = observed('m', 'rerank_queries', '0.5', { provider: 'elsewhere', unit: 'usd_per_query' })
    await testify('index', [other, observed('new', 'input_tokens', '0.1')], 2)
    const after = [await api.get('/v1/catalog'), await api.get('/v1/providers')].map(({ text }) => text)
    expect(after).toEqual(before)
    expect(await db.sql`select provider from provider`).toEqual([{ provider: 'acme' }])
  })

  it('prices no member of an alias group', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    const members = ['m', 'n'].map((resource) => ({ provider: 'acme', resource }))
    await saveGroup(db.sql, { name: 'both', members, actor: 'ada' })
    const before = (await api.get('/v1/comparison/aliases')).text
    await testify('index', [observed('n', 'input_tokens', '0.1', { canonicalResource: 'acme/m' })], 2)
    expect((await api.get('/v1/comparison/aliases')).text).toBe(before)
    expect(before).toContain('"both"')
  })

  it('makes no event, whether its price is new, changes or is gone', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    const [{ events } = { events: 0 }] = await db.sql`select count(*)::int as events from event`
    expect(await testify('index', [observed('m', 'input_tokens', '0.1')], 2)).toMatchObject({ changed: 1 })
    expect(await testify('index', [observed('m', 'input_tokens', '0.2')], 3)).toMatchObject({ changed: 1 })
    expect(await testify('index', [observed('other', 'input_tokens', '0.2')], 4)).toMatchObject({ changed: 2 })
    expect(await db.sql`select count(*)::int as events from event`).toEqual([{ events }])
    expect(await db.sql`select from price_line where source = 'index'`).toHaveLength(0)
  })

  it('is refused when the source was served before', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    await expect(testify('served', model('m', 0.000002), 2)).rejects.toThrow(
      'served has published prices, so it cannot become a witness. Declare the witness under another name.',
    )
  })
})

describe('the witnesses of a price', () => {
  const declare = (...sources: string[]) =>
    declareLists(
      db.sql,
      sources.map((source) => witnessing(source)),
    )

  it('that are switched off are not other sellers either', async () => {
    await testify('index', [observed('m', 'input_tokens', '0.5', { provider: 'elsewhere' })], 1)
    const others = async () => [...(await otherPrices(db.sql, 'served', [claimOf('m')])).values()].flat()
    await declare('index')
    expect(await others()).toMatchObject([{ provider: 'elsewhere', price: '0.5' }])
    await declare('another')
    expect(await others()).toEqual([])
  })

  it('show the price of the same line with the page it was read on and the day it holds from', async () => {
    await testify(
      'index',
      [observed('m', 'input_tokens', '0.5', { proof, effectiveFrom: '2026-01-01', locator: '/a' })],
      2,
    )
    const found = await witnessesOf(db.sql, 'list', ['list'], [claimOf('m')])
    expect(found).toMatchObject([
      { key: 'm', source: 'index', format: 'index', resource: 'm', price: '0.5', since: day(2), locator: '/a', proof,
        effectiveFrom: '2026-01-01' },
    ]) // biome-ignore format: one witness
    expect(found[0]?.snapshotHash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are found by the canonical name, and only at the same seller, in the same tier, unit and currency', async () => {
    const named = (resource: string, more: Partial<Observation> = {}) =>
      observed(resource, 'input_tokens', '0.5', { canonicalResource: 'acme/m', ...more })
    await testify('index', [
      named('m-2026'),
      named('m-batch', { pricingTier: { service: 'batch' } }),
      named('m-euro', { currency: 'EUR' }),
      named('m-else', { provider: 'reseller' }),
    ], 2) // biome-ignore format: a list
    const found = await witnessesOf(db.sql, 'list', [], [claimOf('m', { canonicalResource: 'acme/m' })])
    expect(found.map(({ resource }) => resource)).toEqual(['m-2026'])
    expect(await witnessesOf(db.sql, 'list', [], [claimOf('m')])).toEqual([])
  })

  it('are of another origin than the claim', async () => {
    await testify('copy', [observed('m', 'input_tokens', '0.5')], 2, 'copying')
    await testify('own', [observed('m', 'input_tokens', '0.5')], 3, 'independent')
    const found = await witnessesOf(db.sql, 'list', ['list', 'copying'], [claimOf('m')])
    expect(found.map(({ source }) => source)).toEqual(['own'])
    expect(await witnessesOf(db.sql, 'own', ['copying'], [claimOf('m')])).toEqual([])
  })

  it('are a seller’s own list for a list that copies it, and never the other way round', async () => {
    await testify('seller', [observed('m', 'input_tokens', '0.5')], 2, 'openrouter')
    await testify('copy', [observed('m', 'input_tokens', '0.5')], 3, 'models-dev')
    const sourcesFor = async (format: string) =>
      (await witnessesOf(db.sql, 'list', familyOf(format), [claimOf('m')])).map(({ source }) => source)
    expect(await sourcesFor('genai-prices')).toEqual(['seller'])
    expect(await sourcesFor('openrouter')).toEqual([])
    expect(await sourcesFor('ai-price-index')).toEqual(['copy', 'seller'])
  })

  it('include served sources, but not what they have removed', async () => {
    await snapshot(db.sql, 'served', model('m', 0.000001), { at: day(1) })
    expect(await witnessesOf(db.sql, 'list', [], [claimOf('m')])).toMatchObject([
      { source: 'served', price: '0.000001' },
    ])
    await db.sql`update price_line set removed_at = ${day(3)}`
    expect(await witnessesOf(db.sql, 'list', [], [claimOf('m')])).toEqual([])
  })

  it('keep the instant since when they show a price until they show another one', async () => {
    const since = async () => (await witnessesOf(db.sql, 'list', [], [claimOf('m')])).map((witness) => witness.since)
    await testify('index', [observed('m', 'input_tokens', '0.5')], 2)
    await testify('index', [observed('m', 'input_tokens', '0.5', { proof })], 3)
    expect(await since()).toEqual([day(2)])
    await testify('index', [observed('m', 'input_tokens', '0.6')], 4)
    expect(await since()).toEqual([day(4)])
    await testify('index', [observed('n', 'input_tokens', '0.6')], 5)
    expect(await since()).toEqual([])
  })

  it('say nothing while they are off', async () => {
    await testify('index', [observed('m', 'input_tokens', '0.5')], 2)
    await declare('index')
    expect(await witnessesOf(db.sql, 'list', [], [claimOf('m')])).toHaveLength(1)
    await declare('another')
    expect(await witnessesOf(db.sql, 'list', [], [claimOf('m')])).toEqual([])
  })
})
