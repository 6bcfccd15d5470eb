import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import { replacePrice } from '../../../src/prices/review/replace-price.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

describe('volatile prices', () => {
  const db = testDatabase({ each: true })
  const volatile = { minIntervalSeconds: 2 * 86_400, minChangePercent: 10 }
  const source = sourceDeclaration.parse({ source: 'machines', format: 'hand', volatile })
  const spot = { pricingTier: { service: 'spot' }, unit: 'usd_per_instance_hour' }
  const tier = '{"service":"spot"}'
  /** One machine's spot price and on-demand price on a day. */
  const list = (price: string, n: number, onDemand = '4') =>
    snapshot(
      db.sql,
      'machines',
      [
        observed('m', 'instance_hours', price, spot),
        observed('m', 'instance_hours', onDemand, { unit: 'usd_per_instance_hour' }),
        ...models(10),
      ],
      { source, at: day(n) },
    )
  const sent = async () =>
    (await eventsOf(db.sql, 'price.changed')).map((body) => {
      const { previous, current } = body as { previous: { price: string }; current: { price: string } }
      return [previous.price, current.price]
    })

  it('have one event in their interval, and every price in the history', async () => {
    await list('1', 1)
    await list('1.2', 2)
    const second = await list('1.5', 3)
    expect(second).toMatchObject({ changed: 1, events: EMPTY, suppressed: { volatile: 1 } })
    expect(await sent()).toEqual([['1', '1.2']])
    expect(await priceNow(db.sql, 'm', 'instance_hours', tier)).toBe('1.5')
    await list('1.6', 4)
    expect(await sent()).toEqual([['1', '1.2'], ['1.2', '1.6']]) // biome-ignore format: pairs
    const rows = await db.sql`
      select r.price from price_row r join price_line l using (line_id) where l.pricing_tier = ${tier} order by recorded_at`
    expect(rows.map(({ price }) => price)).toEqual(['1', '1.2', '1.5', '1.6'])
  })

  it('have no event for less than the least change, counted from the price that subscribers know', async () => {
    await list('1', 1)
    for (const [price, n] of [['1.04', 4], ['1.08', 7], ['1.02', 10]] as const) await list(price, n) // biome-ignore format: days
    expect(await sent()).toEqual([])
    await list('1.1', 13)
    expect(await sent()).toEqual([['1', '1.1']])
  })

  it('have the suppressed event once the interval is over and the price still differs', async () => {
    await list('1', 1)
    await list('1.2', 2)
    await list('2', 3)
    expect(await list('2', 5, '4.4')).toMatchObject({ events: { 'price.changed': 2 } })
    expect(await sent()).toContainEqual(['1.2', '2'])
    await list('2', 8, '4.5')
    expect(await sent()).toHaveLength(4)
  })

  it('have no event about what went to and fro meanwhile', async () => {
    await list('1', 1)
    await list('1.2', 2)
    await list('1.8', 3)
    await list('1.2', 4)
    await list('1.2', 9, '4.4')
    expect(await sent()).toEqual([['1', '1.2'], ['4', '4.4']]) // biome-ignore format: pairs
  })

  it('have no second event for what a person approved, and later ones compare with that price', async () => {
    await list('1', 1)
    await list('1.2', 4)
    await list('40', 7)
    const [item] = await openReviewItems(db.sql)
    await decideReview(db.sql, {
      reviewId: item!.reviewId,
      decision: 'approve',
      actor: 'ada',
      reason: 'so',
      at: day(8),
    })
    expect(await sent()).toEqual([['1', '1.2'], ['1.2', '40']]) // biome-ignore format: pairs
    await list('40', 12, '4.1')
    expect(await sent()).toEqual([['1', '1.2'], ['1.2', '40'], ['4', '4.1']]) // biome-ignore format: pairs
    await list('48', 13, '4.1')
    expect((await sent()).at(-1)).toEqual(['40', '48'])
  })

  it('have one event for a price which a person approved after the resource was removed', async () => {
    await list('1', 1)
    await list('1.2', 4)
    for (let n = 5; n < 9; n++) await snapshot(db.sql, 'machines', models(10), { source, at: day(n) })
    expect(await priceNow(db.sql, 'm', 'instance_hours', tier)).toBeUndefined()
    await list('40', 10)
    const [item] = await openReviewItems(db.sql)
    const decision = { decision: 'approve' as const, actor: 'ada', reason: 'so', at: day(11) }
    await decideReview(db.sql, { reviewId: item!.reviewId, ...decision })
    await list('40', 15)
    await list('48', 18)
    const events = await eventsOf(db.sql, 'price.changed')
    const spots = events.filter(({ pricingTier }) => JSON.stringify(pricingTier) === tier)
    expect(spots.map(({ previous, current }) => [previous, current])).toMatchObject([
      [{ price: '1' }, { price: '1.2' }],
      [undefined, { price: '40' }],
      [{ price: '40' }, { price: '48' }],
    ])
  })

  it('have no event that compares with a price which a person replaced', async () => {
    await list('1', 1)
    await list('1.2', 4)
    const [row] = await db.sql`select current_hash as hash from price_line where pricing_tier = ${tier}`
    await replacePrice(db.sql, { contentHash: row?.hash, price: '1.5', actor: 'ada', reason: 'so', at: day(5) })
    await list('1.2', 8, '4.1')
    await list('1.8', 9, '4.1')
    expect((await sent()).at(-1)).toEqual(['1.5', '1.8'])
    expect(await sent()).toHaveLength(3)
  })

  it('are limited alone: other prices of the source are sent as ever', async () => {
    await list('1', 1)
    await list('1.2', 2, '4.1')
    await list('1.5', 3, '4.2')
    expect(await sent()).toEqual(expect.arrayContaining([['4', '4.1'], ['4.1', '4.2']])) // biome-ignore format: pairs
    expect(await sent()).toHaveLength(3)
  })
})
