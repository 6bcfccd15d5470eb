import { describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { contextText } from '../../src/cli/review/review-context.ts'
import { withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { listAbsentPrices } from '../../src/prices/review/list-absent-prices.ts'
import { replacePrice } from '../../src/prices/review/replace-price.ts'
import { pricesInWords } from '../../src/prices/review/review-text-rules.ts'
import { openReviewItems, type ReviewFilter } from '../../src/prices/store/review-store.ts'
import { findItems } from '../../src/review/find-in-queue.ts'
import { itemContext, itemLines } from '../../src/review/item-details.ts'
import { day, model, models, observed } from '../prices/observed.ts'
import { eventsOf, priceNow, snapshot } from '../prices/support.ts'
import { addOperator } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { isolation } from '../support/isolation.ts'

const db = testDatabase({ each: true })
const app = testApp(db)
const who = { actor: 'ada', reason: 'seen on the price page' }

/** A resource of a provider of its own whose prices are held, a thousand times too high, since the n-th day. */
async function holdFlip(provider: string, n: number, more: { resource?: string; source?: string } = {}) {
  const { resource = 'r', source = provider } = more
  const rest = models(8, { provider })
  const priced = (price: number) => [...rest, ...model(resource, price, { provider, canonicalResource: 'maker/m' })]
  await snapshot(db.sql, source, priced(0.000002), { at: day(n - 1) })
  return snapshot(db.sql, source, priced(0.002), { at: day(n) })
}
const found = async (filter: ReviewFilter) =>
  (await openReviewItems(db.sql, 100, filter)).map(({ provider }) => provider)

describe('the review queue', () => {
  it('is narrowed by provider, source, reason, resource and age', async () => {
    await holdFlip('one', 2)
    await holdFlip('two', 4, { resource: 'other', source: 'list' })
    expect(await found({})).toEqual(['one', 'two'])
    expect(await found({ provider: 'two' })).toEqual(['two'])
    expect(await found({ source: 'list' })).toEqual(['two'])
    expect(await found({ reason: 'power_of_ten' })).toEqual(['one', 'two'])
    expect(await found({ reason: 'to_zero' })).toEqual([])
    expect(await found({ resource: 'r' })).toEqual(['one'])
    expect(await found({ resource: 'filler-a0' })).toEqual([])
    expect(await found({ openedBefore: day(2) })).toEqual(['one'])
    expect(await found({ openedBefore: day(3), source: 'list' })).toEqual([])
  })

  it('finds a removal by the resources it is about', async () => {
    const lines = models(10)
    await snapshot(db.sql, 'one', lines, { at: day(1) })
    for (const n of [2, 3, 4, 5]) await snapshot(db.sql, 'one', lines.slice(0, 14), { at: day(n) })
    const [item] = await openReviewItems(db.sql, 1, { kind: 'removal' })
    const [resource] = item!.detail.resources!
    expect(await found({ resource })).toEqual(['acme'])
    expect(await found({ resource: lines[0]!.resource })).toEqual([])
  })

  it('shows the prices of both names of a possible renaming', async () => {
    const named = (name: string) => [...models(10), ...model(name, 0.000003)]
    await snapshot(db.sql, 'one', named('lab/alpha-9'), { at: day(1) })
    await snapshot(db.sql, 'one', named('lab/alpha-9-safe'), { at: day(11) })
    const [item] = await findItems(db.sql, { kind: 'rename' }, 1)
    expect(item!.question).toBe('Was lab/alpha-9 renamed to lab/alpha-9-safe?')
    const known = await listAbsentPrices(db.sql, item!.id)
    expect(known.map(({ resource, dimension, price }) => [resource, dimension, price])).toEqual([
      ['lab/alpha-9', 'input_tokens', '0.000003'],
      ['lab/alpha-9', 'output_tokens', '0.000012'],
      ['lab/alpha-9-safe', 'input_tokens', '0.000003'],
      ['lab/alpha-9-safe', 'output_tokens', '0.000012'],
    ])
    expect(known.some((price) => 'ends' in price)).toBe(false)
    const { sessionToken: session } = await addOperator(db.sql)
    const shown = (await app.send(`GET /v1/operator/review/${item!.id}`, { session })).json.known as object[]
    expect(shown).toMatchObject(known.map(({ resource }) => ({ resource, perUnit: 'USD per million tokens' })))
    expect(await listAbsentPrices(db.sql, 'no-such-item')).toEqual([])
  })

  it('says in one line which price is to become which, and by how much', async () => {
    await holdFlip('one', 2)
    const [item] = await findItems(db.sql, {}, 10)
    expect(item?.question).toMatch(
      /^r: input tokens 2 → 2,000 \(\+99,900%\), output tokens 8 → 8,000 \(\+99,900%\) USD per million tokens: .*power of ten/,
    )
    expect(await findItems(db.sql, { kind: 'terms', source: 'one' }, 10)).toEqual([])
  })

  it('names the prices that change most, and how many more there are', async () => {
    const rest = models(8)
    const line = (dimension: 'input_tokens' | 'output_tokens' | 'cache_read_tokens', price: string) =>
      observed('r', dimension, price)
    const priced = (output: string, input: string, cached: string) => [
      ...rest, line('output_tokens', output), line('input_tokens', input), line('cache_read_tokens', cached),
    ] // biome-ignore format: in one line
    await snapshot(db.sql, 'one', priced('0.000008', '0.000002', '0.0000002'), { at: day(1) })
    await snapshot(db.sql, 'one', priced('0.0000081', '0.002', '0.00000021'), { at: day(2) })
    const [item] = await findItems(db.sql, {}, 10)
    expect(item?.question).toMatch(
      /^r: input tokens 2 → 2,000 \(\+99,900%\), cache read tokens 0\.2 → 0\.21 \(\+5%\) USD per million tokens and 1 more: /,
    )
    expect(item!.resources).toEqual(['r'])
    expect(item!.endsBy).toContainEqual(expect.stringMatching(/^“power of ten” ends by a witness/))
  })

  it('shows the prices beside a held one, and its place in the snapshot', async () => {
    await snapshot(db.sql, 'elsewhere', model('m', 0.0000021, { provider: 'seller', canonicalResource: 'maker/m' }), {
      at: day(1),
    })
    const bytes = Buffer.from(JSON.stringify([{ id: 'r', prices: { 'a/b': 2000 } }]))
    await holdFlip('one', 3)
    const hash = await storeSnapshot(db.sql, { bytes, at: day(3) })
    await db.sql`update price_row set snapshot_hash = ${hash}, locator = '/0/prices/a~1b' where price in (0.002, 0.008)`
    const [item] = await findItems(db.sql, {}, 10)
    const [context] = await itemContext(
      { sql: db.sql, isolation },
      (await itemLines(db.sql, item!)).filter((line) => line.price === '0.002'),
    )
    expect(context).toMatchObject({ snapshot: hash, locator: '/0/prices/a~1b', excerpt: bytes.toString() })
    expect(context?.neighbours.map(({ provider, dimension, price }) => [provider, dimension, price])).toEqual([
      ['one', 'output_tokens', '0.000008'],
      ['seller', 'input_tokens', '0.0000021'],
    ])
    expect(contextText(context!)).toContain('seller m (elsewhere) input_tokens 0.0000021')
  })

  it('shows the line of a table', async () => {
    await holdFlip('one', 3)
    const table = Buffer.from('InstanceType,Price\na,1\nr,2000\n')
    const hash = await storeSnapshot(db.sql, { bytes: table, at: day(3) })
    await db.sql`update price_row set snapshot_hash = ${hash}, locator = 'line 3, Price' where price in (0.002, 0.008)`
    const [item] = await findItems(db.sql, {}, 10)
    const [context] = await itemContext({ sql: db.sql, isolation }, await itemLines(db.sql, item!))
    expect(context?.excerpt).toBe('InstanceType,Price\na,1\nr,2000')
  })

  it('shows what is beside one price of each of the first three resources', async () => {
    await holdFlip('one', 3)
    const [item] = await findItems(db.sql, {}, 10)
    const own = await itemLines(db.sql, item!)
    expect(own.map(({ dimension }) => dimension)).toEqual(['input_tokens', 'output_tokens'])
    const [line] = own
    expect(await itemContext({ sql: db.sql, isolation }, own)).toMatchObject([{ contentHash: line!.contentHash }])
    const lines = ['a', 'b', 'c', 'd', 'e'].flatMap((resource) => [1, 2].map(() => ({ ...line!, resource })))
    expect(await itemContext({ sql: db.sql, isolation }, lines)).toHaveLength(3)
  })

  it('previews a decision without recording anything', async () => {
    await holdFlip('one', 2)
    const [item] = await openReviewItems(db.sql)
    const request = { reviewId: item!.reviewId, decision: 'approve' as const, ...who }
    const preview = await decideReview(db.sql, { ...request, dryRun: true, at: day(5) })
    expect(preview).toEqual({ kind: 'price', rows: 2, events: { 'price.changed': 2 } })
    expect(await priceNow(db.sql, 'r')).toBe('0.000002')
    expect(await eventsOf(db.sql, 'price.changed', 'one')).toEqual([])
    expect(await found({})).toEqual(['one'])
    expect(await decideReview(db.sql, { ...request, at: day(5) })).toEqual(preview)
    expect(await found({})).toEqual([])
  })
})

describe('a change in words', () => {
  it('names the tier, and a first price as such', () => {
    const line = {
      resource: 'r',
      dimension: 'requests',
      pricingTier: '{"service":"batch"}',
      unit: 'usd_per_request',
      price: '1',
    }
    expect(pricesInWords([line])).toBe('r: requests (batch) first price 1 USD per request')
    expect(pricesInWords([{ ...line, pricingTier: '{}', publishedPrice: '2' }])).toBe(
      'r: requests 2 → 1 (−50%) USD per request',
    )
  })
})

describe('a wrong published price', () => {
  const source = (price: number, n: number) =>
    snapshot(db.sql, 'one', [...model('r', price), ...models(8)], { at: day(n) })
  const hashOf = async () => {
    const [row] = await db.sql<{ hash: string }[]>`
      select current_hash as hash from price_line where resource = 'r' and dimension = 'input_tokens'`
    return row!.hash
  }

  it('is corrected in one step: one event, and the source’s price has no effect until it says another', async () => {
    await source(0.000002, 1)
    const wrong = await hashOf()
    const { event, contentHash } = await replacePrice(db.sql, {
      contentHash: wrong,
      price: '0.000003',
      ...who,
      at: day(2),
    })
    expect(await priceNow(db.sql, 'r')).toBe('0.000003')
    expect(await hashOf()).toBe(contentHash)
    const events = await eventsOf(db.sql, 'price.corrected')
    expect(events).toMatchObject([
      {
        id: event,
        resource: 'r',
        previous: { price: '0.000002', contentHash: wrong },
        current: { price: '0.000003', contentHash },
        affected: { from: day(1), to: day(2) },
      },
    ])
    expect(await source(0.000002, 3)).toMatchObject({ published: 0, events: EMPTY })
    expect(await priceNow(db.sql, 'r')).toBe('0.000003')
    expect((await source(0.0000025, 4)).events).toEqual({ 'price.changed': 2 })
    expect(await priceNow(db.sql, 'r')).toBe('0.0000025')
  })

  it('is corrected beside a held price, which is held anew: what is current has the newest recordedAt', async () => {
    const source = (price: string, n: number) =>
      snapshot(db.sql, 'one', [observed('r', 'input_tokens', price), ...models(8)], { at: day(n) })
    await source('0.000002', 1)
    await source('0.002', 2)
    const [first] = await openReviewItems(db.sql, 2, {})
    await replacePrice(db.sql, { contentHash: await hashOf(), price: '0.000003', ...who, at: day(3) })
    expect(await found({})).toEqual([])
    await source('0.002', 4)
    const [again, ...others] = await openReviewItems(db.sql, 2, {})
    expect([again!.reviewId === first!.reviewId, others]).toEqual([false, []])
    expect(await priceNow(db.sql, 'r')).toBe('0.000003')
    await decideReview(db.sql, { reviewId: again!.reviewId, decision: 'approve', ...who, at: day(5) })
    expect(await priceNow(db.sql, 'r')).toBe('0.002')
    expect(await eventsOf(db.sql, 'price.changed')).toMatchObject([
      { previous: { price: '0.000003' }, current: { price: '0.002', contentHash: await hashOf() } },
    ])
  })

  it('is corrected only when it is served, newest and different', async () => {
    await source(0.000002, 1)
    const first = await hashOf()
    await source(0.0000025, 2)
    const correct = (contentHash: string, price: string) =>
      replacePrice(db.sql, { contentHash, price, ...who, at: day(9) })
    await expect(correct(first, '0.000003')).rejects.toThrow('not the newest price of its line')
    await expect(correct(await hashOf(), '0.0000025')).rejects.toThrow('The price is 0.0000025 already.')
    await expect(correct(await hashOf(), '1e-6')).rejects.toThrow('1e-6 is not a canonical decimal.')
    await expect(correct('0'.repeat(64), '1')).rejects.toThrow('no price row')
    const newest = await hashOf()
    await withdrawRow(db.sql, { contentHash: newest, ...who, at: day(8) })
    await expect(correct(newest, '0.000003')).rejects.toThrow('The row is withdrawn, not published.')
  })
})
