import { beforeEach, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources, sourceState } from '../../src/catalog/sources/source-store.ts'
import { derivePrices } from '../../src/collecting/derive-prices.ts'
import type { CollectTools } from '../../src/collecting/schema.ts'
import { DAY, instantOf, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { registerStaging } from '../../src/prices/staging/staging-store.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

type Price = { resource: string; dimension?: string; price: string }

const db = testDatabase({ each: true })
const START = instantOf(Date.now() - 30 * DAY)
const SOURCE = {
  ...sourceDeclaration.parse({ source: 'list', format: 'curated', url: 'list.json' }),
  kind: 'prices' as const,
}
const REST: Price[] = Array.from({ length: 30 }, (_, n) => ({ resource: `rest-${n}`, price: '7' }))
const LIST: Price[] = [
  ...REST,
  { resource: 'm', price: '3' },
  { resource: 'm', dimension: 'output_tokens', price: '9' },
]
beforeEach(() => declareSources(db.sql, [SOURCE]))

/** Derives from a list that was fetched some days after the first one; without one from what is at hand. */
async function derive(days: number, prices?: Price[], more: { bundled?: boolean } = {}) {
  const at = plus(START, days * DAY)
  const rows = prices?.map((price) => ({ provider: 'acme', dimension: 'input_tokens', per: 1_000_000, ...price }))
  const bytes = Buffer.from(JSON.stringify({ prices: rows }))
  const fresh = rows && { hash: await storeSnapshot(db.sql, { bytes, at }), bytes, ...more }
  const tools = { sql: db.sql, isolation, log: createLog('silent') } as CollectTools
  const state = (await sourceState(db.sql, 'list'))!
  const derived = await derivePrices(tools, SOURCE, state, at, fresh)
  // What a collection records then.
  const { snapshotHash = null, parserVersion = null } = derived
  if (derived.outcome !== 'quarantined')
    await db.sql`update source set snapshot_hash = ${snapshotHash}, parser_version = ${parserVersion}, read_again = false`
  return derived
}
const counted = async () =>
  (await db.sql`select missing_count as n from price_line where resource = 'm' order by line_id limit 1`)[0]!.n

describe('what a list says of its prices', () => {
  it('changed where prices began, are held, or a resource ended, and is unchanged where nothing of that happened', async () => {
    const outcome = async (prices: Price[]) => {
      const { outcome: is, published, held } = await derive(0, prices)
      return [is, published, held]
    }
    expect(await outcome(LIST)).toEqual(['changed', 32, 0])
    expect(await outcome([...LIST].reverse())).toEqual(['unchanged', 0, 0])
    const cheap = LIST.map((one) => ({
      ...one,
      price: one.resource === 'm' ? `${Number(one.price) / 1000}` : one.price,
    }))
    expect(await outcome(cheap)).toEqual(['changed', 0, expect.any(Number)])
    const [{ reasons }] = (await db.sql`
      select sum(cardinality(reasons))::int as reasons from review_row`) as unknown as [{ reasons: number }]
    expect(await outcome([...cheap].reverse())).toEqual(['unchanged', 0, 0])
    await db.sql`delete from review_row; delete from review; update price_line set held_hash = null`.simple()
    expect((await derive(0, [...cheap, { resource: 'n', price: '7' }])).held).toBe(reasons)
  })

  it('changed where a resource was missing for long enough', async () => {
    await derive(0, LIST)
    const without = LIST.filter(({ resource }) => resource !== 'm')
    expect(await derive(0, without)).toMatchObject({ outcome: 'unchanged', published: 0, held: 0 })
    await db.sql`
      update price_line set missing_since = missing_since - interval '4 days', missing_count = 5 where resource = 'm'`
    expect(await derive(0, [...without].reverse())).toMatchObject({ outcome: 'changed', published: 0, held: 0 })
    expect(await db.sql`select from resource where removed_at is null and resource = 'm'`).toHaveLength(0)
  })

  it('leaves out of what it shows twice the second one, and says so', async () => {
    const again = [...LIST, { resource: 'm', price: '3' }, { resource: 'rest-0', price: '8' }]
    const { ignored, report } = await derive(0, again)
    expect(ignored).toMatchObject([
      { count: 1 },
      { count: 1, example: expect.stringContaining('0.000007, then 0.000008') },
    ])
    expect(new Set(ignored!.map(({ reason }) => reason)).size).toBe(2)
    expect(report).toMatchObject({ source: 'list', published: 32, ignored })
    const [, other, ...more] = [
      ...ignored!,
      ...((await derive(1, [...LIST, { resource: 'm', price: '4' }])).ignored ?? []),
    ]
    expect(more).toEqual([{ ...other, example: expect.stringContaining('0.000003, then 0.000004') }])
  })

  it('is not read again while it is the same: it is confirmed, unless it is a bundled release', async () => {
    await derive(0, LIST)
    const without = LIST.filter(({ resource }) => resource !== 'm')
    await derive(1, without)
    expect(await counted()).toBe(1)
    const same = { outcome: 'unchanged', parserVersion: 6, snapshotHash: expect.stringMatching(/^[0-9a-f]{64}$/) }
    expect(await derive(1, without)).toEqual({ ...same, nextChangeAt: undefined, recheckAt: undefined })
    expect(await counted()).toBe(2)
    expect(await derive(1)).toMatchObject(same)
    expect(await counted()).toBe(3)
    expect(await derive(1, without, { bundled: true })).toMatchObject(same)
    expect(await counted()).toBe(3)
    // A line may change its state from now on: the snapshot is compared again.
    await db.sql`update price_line set missing_since = missing_since - interval '4 days' where resource = 'm'`
    await db.sql`update source set ingested_at = ingested_at - interval '4 days'`
    expect(await derive(30)).toMatchObject({ outcome: 'changed', published: 0 })
  })

  it('is read where others no longer decide about what it shows', async () => {
    await derive(0, LIST)
    await db.sql`
      insert into witness_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, locator, shown_since)
      values ('list', 'acme', 'given-up', 'input_tokens', 'usd_per_token', 'USD', '{}', 1, '/', now())`
    expect(await derive(0)).toMatchObject({ outcome: 'unchanged', published: 0 })
    expect(await db.sql`select from witness_price`).toHaveLength(0)
  })

  it('that cannot be read changes nothing, and is not tried as a fault', async () => {
    await derive(0, LIST)
    const bad = await derive(1, [{ resource: '', price: 'x' }])
    expect(bad).toEqual({
      ...{ outcome: 'quarantined', parserVersion: 6, snapshotHash: expect.any(String) },
      problem: expect.stringContaining('The curated file needs fixing'),
    })
  })

  it('is staged beside what others stage, and takes away what a check of the same list left', async () => {
    await derive(0, LIST)
    await registerStaging(db.sql, 'list')
    await registerStaging(db.sql, 'other')
    await derive(0)
    expect(await db.sql`select source from staging order by 1`).toEqual([{ source: 'list' }, { source: 'other' }])
    await derive(0, REST)
    expect(await db.sql`select source from staging`).toEqual([{ source: 'other' }])
  })
})

describe('a newer parser', () => {
  const reread = async (change: object, prices = LIST) => {
    await derive(0, LIST)
    await db.sql`update source set ${db.sql({ ingested_parser: 5, parser_version: 5, ...change })} where source = 'list'`
    const derived = await derive(1, prices)
    return { derived, events: (await db.sql`select from event where type like 'price.%'`).length }
  }
  const NEW = LIST.map((one) => (one.resource === 'm' ? { ...one, price: `${Number(one.price) * 1.1}` } : one))

  it('reads the list at hand once more before the new one, where there is one that can be read', async () => {
    expect(await reread({}, NEW)).toMatchObject({ derived: { outcome: 'changed', published: 2 }, events: 2 })
    const parsers = await db.sql`select ingested_parser as parser from source`
    expect(parsers).toEqual([{ parser: 6 }])
  })

  it.each(['gone', 'unreadable'])('goes on with the new list where the one at hand is %s', async (state) => {
    const kept = await storeSnapshot(db.sql, { bytes: Buffer.from('nonsense'), at: START })
    const ingested_hash = state === 'gone' ? 'f'.repeat(64) : kept
    expect((await reread({ ingested_hash }, NEW)).derived).toMatchObject({ outcome: 'changed' })
  })
})
