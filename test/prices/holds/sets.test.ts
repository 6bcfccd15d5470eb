import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { plus } from '../../../src/lib/instant.ts'
import { confirmPrices } from '../../../src/prices/ingest/confirm-prices.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

const HOUR = 3_600_000
const who = { actor: 'ada', reason: 'seen on the price page' }

/** Input and output of a model at these prices per million tokens. */
const chat = (resource: string, input: number, output: number, more: Partial<Observation> = {}): Observation[] => [
  observed(resource, 'input_tokens', perToken(input), more),
  observed(resource, 'output_tokens', perToken(output), more),
]
const perToken = (perMillion: number) => (perMillion / 1e6).toFixed(15).replace(/0+$/, '').replace(/\.$/, '')

describe('all lines of a resource that change in one snapshot', () => {
  const db = testDatabase({ each: true })
  const rest = models(20)
  const take = (hours: number, lines: Observation[]) =>
    snapshot(db.sql, 'one', [...rest, ...lines], { at: plus(day(0), hours * HOUR) })
  const prices = async (resource: string) => [
    await priceNow(db.sql, resource),
    await priceNow(db.sql, resource, 'output_tokens'),
  ]

  it('are held together: no reader sees a half of DeepSeek’s new prices', async () => {
    await take(0, chat('deepseek-chat', 0.57, 1.68))
    const first = await take(24 * 9, chat('deepseek-chat', 0.28, 0.42))
    expect(first).toMatchObject({ held: { large_change: 1, with_its_set: 1 }, published: 0 })
    expect(await prices('deepseek-chat')).toEqual(['0.00000057', '0.00000168'])
    expect((await take(24 * 9 + 12, chat('deepseek-chat', 0.28, 0.42))).published).toBe(0)
    const third = await take(24 * 10, chat('deepseek-chat', 0.28, 0.42))
    expect(third).toMatchObject({ published: 2, events: { 'price.changed': 2 } })
    expect(await prices('deepseek-chat')).toEqual(['0.00000028', '0.00000042'])
    expect(await openReviewItems(db.sql)).toEqual([])
  })

  it('begin to wait again when one of them changes again', async () => {
    await take(0, chat('m', 10, 40))
    await take(200, chat('m', 2, 40))
    await take(212, chat('m', 2, 8))
    expect((await take(225, chat('m', 2, 8))).published).toBe(0)
    expect(await prices('m')).toEqual(['0.00001', '0.00004'])
    expect((await take(236, chat('m', 2, 8))).published).toBe(2)
    expect(await prices('m')).toEqual(['0.000002', '0.000008'])
  })

  it('are not published half when input and output were swapped, however long that stays', async () => {
    await take(0, chat('m', 1, 4))
    for (const hours of [24, 48, 72, 96]) await take(hours, chat('m', 4, 1))
    expect(await prices('m')).toEqual(['0.000001', '0.000004'])
    expect(await eventsOf(db.sql, 'price.changed')).toEqual([])
  })

  it('wait for the end of a line that would contradict them', async () => {
    const cached = (price: number) => observed('m', 'cache_read_tokens', perToken(price))
    await take(0, [...chat('m', 2, 8), cached(1)])
    expect((await take(24, chat('m', 0.8, 3.2))).held).toEqual({ contradicts_missing_line: 2 })
    for (const hours of [48, 95]) await take(hours, chat('m', 0.8, 3.2))
    expect(await prices('m')).toEqual(['0.000002', '0.000008'])
    await take(96, chat('m', 0.8, 3.2))
    expect(await prices('m')).toEqual(['0.0000008', '0.0000032'])
    expect(await priceNow(db.sql, 'm', 'cache_read_tokens')).toBeUndefined()
  })

  it('are published with a removed line that is listed again beside them', async () => {
    const cached = () => observed('m', 'cache_read_tokens', perToken(0.1))
    const caches = () => priceNow(db.sql, 'm', 'cache_read_tokens')
    await take(0, [...chat('m', 2, 8), cached()])
    for (const hours of [24, 240, 361]) await take(hours, chat('m', 2, 8))
    expect(await caches()).toBeUndefined()
    for (const hours of [400, 412]) await take(hours, [...chat('m', 0.5, 2), cached()])
    expect([await prices('m'), await caches()]).toEqual([['0.000002', '0.000008'], undefined])
    const last = await take(424, [...chat('m', 0.5, 2), cached()])
    expect([await prices('m'), await caches()]).toEqual([['0.0000005', '0.000002'], '0.0000001'])
    expect([last.events, last.suppressed]).toEqual([{ 'price.changed': 3 }, {}])
  })

  it('share the doubt about the same change under another name, which no one else sells under', async () => {
    const other = chat('maker/m', 3.5, 10.5, { provider: 'other' })
    await take(0, [...other, ...chat('m', 5, 15), ...chat('m-preview', 5, 15)])
    const slip = [...other, ...chat('m', 0.08, 0.31), ...chat('m-preview', 0.08, 0.31)]
    for (const hours of [200, 212, 225]) await take(hours, slip)
    expect([await prices('m'), await prices('m-preview')]).toEqual([
      ['0.000005', '0.000015'],
      ['0.000005', '0.000015'],
    ])
  })

  it('are decided together, though they came in two snapshots', async () => {
    await take(0, chat('m', 10, 40))
    await take(24, chat('m', 10_000, 40))
    await take(25, chat('m', 10_000, 20))
    const [first] = await openReviewItems(db.sql)
    await decideReview(db.sql, { reviewId: first!.reviewId, decision: 'approve', ...who, at: plus(day(0), 26 * HOUR) })
    expect(await prices('m')).toEqual(['0.01', '0.00002'])
    expect(await openReviewItems(db.sql)).toEqual([])
  })
})

describe('a doubtful change', () => {
  const db = testDatabase({ each: true })
  const rest = models(20)
  const prices = async (resource: string) => [
    await priceNow(db.sql, resource),
    await priceNow(db.sql, resource, 'output_tokens'),
  ]
  const take = (hours: number, lines: Observation[], more = {}) =>
    snapshot(db.sql, 'one', [...rest, ...lines], { at: plus(day(0), hours * HOUR), ...more })

  it('is published once it has stood, though the bytes stay the same', async () => {
    await take(0, chat('o3', 10, 40))
    await take(200, chat('o3', 2, 8))
    for (const hours of [201, 223])
      expect(await confirmPrices(db.sql, 'one', plus(day(0), hours * HOUR))).toEqual({ due: false })
    expect(await confirmPrices(db.sql, 'one', plus(day(0), 224 * HOUR))).toEqual({ due: true })
    expect((await take(224, chat('o3', 2, 8))).events).toEqual({ 'price.changed': 2 })
    const [status] = await db.sql`select reason from price_status where status = 'auto_approved' and reason is not null`
    expect(status?.reason).toBe('large_change; listed in 4 fetches since 2026-01-09T08:00:00.000Z')
  })

  it('is never published by time alone when a unit may be misread', async () => {
    await take(0, chat('m', 10, 40))
    for (const hours of [24, 48, 96, 400]) await take(hours, chat('m', 0.01, 0.04))
    expect(await priceNow(db.sql, 'm')).toBe('0.00001')
    const [item] = await openReviewItems(db.sql)
    expect(item?.reasons).toEqual(['power_of_ten'])
  })

  it('holds no other change of its provider, once those of its own snapshot are judged', async () => {
    const flipping = ['x', 'y', 'z']
    const flips = (n: number) => flipping.flatMap((name) => chat(name, 10 * n, 40 * n))
    await take(0, [...flips(1), ...chat('m', 5, 20)])
    const first = await take(200, [...flips(0.1), ...chat('m', 4, 16)])
    expect(first.held).toMatchObject({ provider_flipped_unit: 8 })
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind: 'mass_change', rows: { length: 8 } }])
    expect((await take(230, [...flips(0.1), ...chat('m', 4, 16), ...chat('fresh', 3, 9)])).events).toEqual({
      'resource.added': 1,
    })
    expect((await take(260, [...flips(0.1), ...chat('m', 4.5, 18)])).events).toEqual({ 'price.changed': 2 })
    expect(await prices('x')).toEqual(['0.00001', '0.00004'])
  })

  it('ends when the price fits what other sellers charge and the old one did not', async () => {
    const others = ['a1', 'a2', 'a3'].flatMap((provider) => chat('lab/falcon', 10, 40, { provider }))
    await take(0, [...others, ...chat('falcon', 0.01, 0.04)])
    const report = await take(200, [...others, ...chat('falcon', 10, 40)])
    expect(report).toMatchObject({ held: EMPTY, events: { 'price.changed': 2 } })
    const [status] = await db.sql`select reason from price_status where reason is not null`
    expect(status?.reason).toBe('corrects 0.00000001, which was implausible')
  })

  it('corrects an implausible price at once', async () => {
    await take(0, chat('m', 10, 40))
    await take(24, chat('m', 100_000, 400_000))
    const [item] = await openReviewItems(db.sql)
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'approve', ...who, at: plus(day(0), 25 * HOUR) })
    expect(await priceNow(db.sql, 'm')).toBe('0.1')
    expect((await take(400, chat('m', 1, 4))).events).toEqual({ 'price.changed': 2 })
  })

  it('to zero is never published by time, from zero once it has stood', async () => {
    await take(0, [...chat('paid', 1, 4), ...chat('gratis', 0, 0)])
    for (const hours of [200, 220, 240]) await take(hours, [...chat('paid', 0, 0), ...chat('gratis', 1, 4)])
    expect(await priceNow(db.sql, 'paid')).toBe('0.000001')
    expect(await priceNow(db.sql, 'gratis')).toBe('0.000001')
  })

  it('is a new line that contradicts the others of its resource, and a new resource that is unusual', async () => {
    await take(0, chat('m', 1, 4))
    const cached = observed('m', 'cache_read_tokens', perToken(3))
    for (const hours of [24, 36, 48, 72]) await take(hours, [...chat('m', 1, 4), cached, ...chat('image', 2.5, 2)])
    expect(await priceNow(db.sql, 'm', 'cache_read_tokens')).toBeUndefined()
    expect(await priceNow(db.sql, 'image', 'output_tokens')).toBe('0.000002')
  })

  it('of images holds no first price of tokens: a new model has its right prices', async () => {
    await take(0, models(6))
    const image = observed('gpt-realtime', 'input_images', '5000', { unit: 'usd_per_image' })
    const report = await take(24, [...models(6), ...chat('gpt-realtime', 4, 16), image])
    expect(report).toMatchObject({ published: 2, held: { implausible_price: 1 } })
    expect(await priceNow(db.sql, 'gpt-realtime')).toBe('0.000004')
  })

  it('is a first output price out of proportion to its input price, unlike all others of its provider', async () => {
    const others = [1, 2, 3, 3, 2].flatMap((share, n) => chat(`other-${n}`, 2, 2 * share))
    await take(0, others)
    for (const hours of [24, 48, 72]) {
      const report = await take(hours, [...others, ...chat('claude-3-7-sonnet', 2.5, 178.571)])
      expect(report.published).toBe(0)
    }
    expect(await priceNow(db.sql, 'claude-3-7-sonnet', 'output_tokens')).toBeUndefined()
    const right = await take(96, [...others, ...chat('claude-3-7-sonnet', 2.5, 17.857)])
    expect(right).toMatchObject({ published: 2, events: { 'resource.added': 1 } })
  })

  it('is none where such a price that is served becomes ten times cheaper: that is corrected at once', async () => {
    const others = [1, 2, 3, 3, 2].flatMap((share, n) => chat(`other-${n}`, 2, 2 * share))
    // Nothing of a first snapshot is compared.
    await take(0, [...others, ...chat('claude-3-7-sonnet', 2.5, 178.571)])
    expect(await priceNow(db.sql, 'claude-3-7-sonnet', 'output_tokens')).toBe('0.000178571')
    const report = await take(24 * 50, [...others, ...chat('claude-3-7-sonnet', 2.5, 17.857)])
    expect(report).toMatchObject({ published: 1, held: EMPTY, events: { 'price.changed': 1 } })
    expect(await priceNow(db.sql, 'claude-3-7-sonnet', 'output_tokens')).toBe('0.000017857')
  })

  it('of a first price is corrected without review for some days', async () => {
    await take(0, chat('base', 1, 4))
    await take(24, [...chat('base', 1, 4), ...chat('young', 0, 0)])
    expect((await take(48, [...chat('base', 1, 4), ...chat('young', 5, 20)])).events).toEqual({ 'price.changed': 2 })
  })

  it('stores what is known about it, and judges it again with every snapshot', async () => {
    await take(0, chat('m', 10, 40))
    await take(24, chat('m', 0.01, 0.04))
    const evidence = async () => {
      const rows =
        await db.sql`select evidence from review_row join price_row using (content_hash) where price = 0.00000001`
      return rows[0]?.evidence
    }
    expect(await evidence()).toMatchObject({ before: '0.00001', after: '0.00000001', fitBefore: 'plausible' })
    const other = { source: sourceDeclaration.parse({ source: 'other', format: 'curated', primary: false }) }
    const sellers = ['a1', 'a2'].flatMap((provider) => chat('m', 10, 40, { provider }))
    await snapshot(db.sql, 'other', sellers, { ...other, at: plus(day(0), 30 * HOUR) })
    await take(48, chat('m', 0.01, 0.04))
    expect(await evidence()).toMatchObject({ fitBefore: 'fits', fitAfter: 'misfits', sellers: { count: 2 } })
  })

  it('of a whole provider is published when it has stood, unless a third of it flips a unit', async () => {
    const times = (factor: number) => (item: Observation) => ({
      ...item,
      price: perToken(Number(item.price) * 1e6 * factor),
    })
    const discount = models(20, { provider: 'bulk' })
    const flipped = models(20, { provider: 'damaged' }).map((item) => ({ ...item, resource: `own-${item.resource}` }))
    const raised = discount.map(times(1.25))
    const damaged = flipped.map((item, i) => (i < 12 ? times(1000)(item) : i < 20 ? times(1.25)(item) : item))
    await take(0, [...discount, ...flipped])
    for (const hours of [200, 212, 224]) await take(hours, [...raised, ...damaged])
    expect(await eventsOf(db.sql, 'price.changed', 'bulk')).toHaveLength(40)
    expect(await eventsOf(db.sql, 'price.changed', 'damaged')).toEqual([])
  })
})
