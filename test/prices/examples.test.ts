import { beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import { exampleChange, exampleOffer } from '../../src/prices/store/example-store.ts'
import { testDatabase } from '../support/database.ts'
import { publish, type SeedRow, seedProviders, withdraw } from '../support/prices.ts'
import { day } from './observed.ts'

const db = testDatabase({ each: true })
beforeEach(() =>
  seedProviders(
    db.sql,
    day(0),
    ['maker', 'second', 'third'].map((provider) => ({ provider })),
  ),
)

const own = (resource: string, price: string, more: Partial<SeedRow> = {}): SeedRow => ({
  provider: 'maker',
  resource,
  price,
  canonicalResource: `maker/${resource}`,
  ...more,
})
const sold = (provider: string, resource: string, price: string, more: Partial<SeedRow> = {}) =>
  own(resource, price, { provider, ...more })

/** The prices of days, one after the other: history is recorded in order. */
async function recorded(...days: [n: number, rows: SeedRow[]][]): Promise<void> {
  for (const [n, rows] of days) await publish(db.sql, rows, day(n))
  await makeCurrent()
}
/** The row of a line that was recorded last is its current one. */
async function makeCurrent(): Promise<void> {
  await db.sql`
    insert into price_row (content_hash, line_id, price, recorded_at, canonical_resource, parser_version)
    select content_hash, line_id, (body::json->>'price')::numeric, recorded_at, canonical_resource, 1 from publication
    on conflict do nothing`
  await db.sql`
    update price_line l set current_hash = (
      select content_hash from price_row r where r.line_id = l.line_id order by recorded_at desc limit 1)`
}
const group = async (name: string, providers: string[], at: Instant) =>
  saveGroup(db.sql, { name, members: providers.map((provider) => ({ provider, resource: name })), actor: 'ada', at })

describe('the change that the start screen shows', () => {
  it('is none while no price has changed', async () => {
    await recorded([1, [own('a', '2')]])
    expect(await exampleChange(db.sql)).toBeUndefined()
  })

  it('says the price before, the price now, and a day on which the first was still in force', async () => {
    await recorded([1, [own('a', '9')]], [2, [own('a', '2.50')]], [3, [own('a', '1.5')]])
    expect(await exampleChange(db.sql)).toEqual({
      ...{ provider: 'maker', resource: 'a', dimension: 'input_tokens', day: '2026-01-04', before: '2.5', now: '1.5' },
    })
  })

  it('is that of a maker’s own model before a seller’s, then of the model that most sell, then the newest', async () => {
    await recorded([
      1,
      [own('a', '2'), own('b', '2'), own('c', '2'), sold('second', 'c', '2'), sold('third', 'd', '2')],
    ])
    await recorded([2, [own('a', '1')]])
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'a' })
    await recorded([3, [own('b', '1')]], [4, [sold('third', 'd', '1')]])
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'b' })
    await group('a', ['maker', 'second'], day(5))
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'a' })
    await group('b', ['maker', 'second', 'third'], day(6))
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'b' })
  })

  it('is not that of a line that ended, of another currency, tier or dimension, or of a model with several prices', async () => {
    const others = [
      own('currency', '2', { currency: 'EUR' }),
      own('tier', '2', { pricingTier: { service: 'batch' } }),
      own('dimension', '2', { dimension: 'cache_read_tokens' }),
      own('several', '2'),
      own('several', '5', { pricingTier: { service: 'batch' } }),
      own('ended', '2'),
    ]
    await recorded([1, others], [2, others.map((row) => ({ ...row, price: `${Number(row.price) - 1}` }))])
    await db.sql`update price_line set removed_at = now() where resource = 'ended'`
    expect(await exampleChange(db.sql)).toBeUndefined()
    await recorded([3, [own('output', '2', { dimension: 'output_tokens' }), own('output', '3')]])
    await recorded([4, [own('output', '1', { dimension: 'output_tokens' })]])
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'output', dimension: 'output_tokens' })
  })

  it('compares with a price that was served, on a day before', async () => {
    await recorded([1, [own('a', '2')]])
    await publish(db.sql, [own('a', '1')], plus(day(1), 2 * HOUR))
    await makeCurrent()
    expect(await exampleChange(db.sql)).toBeUndefined()
    await recorded([2, [own('a', '1.0')]])
    expect(await exampleChange(db.sql)).toBeUndefined()
    const [hash] = await publish(db.sql, [own('b', '7')], day(3))
    await recorded([4, [own('b', '5')]])
    await withdraw(db.sql, [hash!], day(5))
    expect(await exampleChange(db.sql)).toMatchObject({ resource: 'b', before: '7' })
    await db.sql`delete from publication where content_hash = ${hash!}`
    expect(await exampleChange(db.sql)).toBeUndefined()
  })
})

describe('the offer that the start screen shows', () => {
  const out = (rows: SeedRow[]) => rows.map((row) => ({ ...row, dimension: 'output_tokens' }))

  it('is what a maker asks for its own model, of the one that most sell, and the first by name', async () => {
    const priced = (name: string, price: string) => [
      own(name, price),
      ...['second', 'third'].map((seller) => sold(seller, name, '9')),
    ]
    await recorded([1, out([...priced('a', '4.40'), ...priced('b', '3'), ...priced('c', '2')])])
    expect(await exampleOffer(db.sql)).toBeUndefined()
    await group('c', ['second', 'third'], day(2))
    expect(await exampleOffer(db.sql)).toBeUndefined()
    await group('b', ['maker', 'second'], day(3))
    await group('a', ['maker', 'second'], day(4))
    const offer = { group: 'a', dimension: 'output_tokens', sellers: 2, provider: 'maker', price: '4.4' }
    expect(await exampleOffer(db.sql)).toEqual(offer)
    await db.sql`
      insert into alias_member (group_id, provider, resource, joined_at)
      select group_id, 'third', 'b', ${day(5)} from alias_group where name = 'b'`
    expect(await exampleOffer(db.sql)).toMatchObject({ group: 'b', sellers: 3 })
  })

  it('is not of a group or a line that ended, of input, another unit or tier, or where the maker has several prices', async () => {
    await recorded([
      1,
      [
        ...out([own('ended', '1'), own('left', '1'), own('deleted', '1'), own('several', '1')]),
        ...out([own('several', '2', { pricingTier: { service: 'batch' } })]),
        ...out([own('tier', '2', { pricingTier: { service: 'batch' } }), own('unit', '2', { unit: 'usd_per_image' })]),
        own('input', '2'),
        ...out(
          ['ended', 'left', 'deleted', 'several', 'tier', 'unit', 'input'].map((name) => sold('second', name, '1')),
        ),
      ],
    ])
    for (const [n, name] of ['ended', 'left', 'deleted', 'several', 'tier', 'unit', 'input'].entries())
      await group(name, ['maker', 'second'], day(2 + n))
    await db.sql`update price_line set removed_at = now() where resource = 'ended' and provider = 'maker'`
    await db.sql`update alias_member set left_at = now() where resource = 'left' and provider = 'maker'`
    await db.sql`update alias_group set deleted_at = now() where name = 'deleted'`
    expect(await exampleOffer(db.sql)).toBeUndefined()
  })
})
