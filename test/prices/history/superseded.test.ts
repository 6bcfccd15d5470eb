import { describe, expect, it } from 'vitest'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { historyPage } from '../../../src/prices/history/history-store.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, publishIn, restoreIn, seedProviders, withdraw, withdrawIn } from '../../support/prices.ts'

const START = '2026-01-01T00:00:00.000Z' as Instant
const day = (n: number): Instant => plus(START, n * DAY)

describe('the current row of a line', () => {
  const db = testDatabase({ each: true })
  const of = (price: string) => [{ provider: 'acme', resource: 'm', price }]
  /** The current prices at the instant, read as a page and as the newest row that is served. */
  async function currentAt(asOf: Instant): Promise<string[]> {
    const rows = { filters: { current: true as const } }
    const { prices } = await historyPage(db.sql, { asOf, rows, after: '', limit: 100 })
    const shown = (JSON.parse(`[${prices}]`) as { price: string }[]).map(({ price }) => price)
    const defined = await db.sql<{ price: string }[]>`
      select distinct on (line_id) body::json ->> 'price' as price from publication
      where published_at <= ${asOf} and (unpublished_at is null or unpublished_at > ${asOf})
      order by line_id, recorded_at desc, content_hash desc`
    expect(shown.sort(), asOf).toEqual(defined.map(({ price }) => price).sort())
    return shown
  }
  const settled = async () => {
    const [row] = await db.sql<{ superseded: number; again: number }[]>`
      select count(superseded_at)::int as superseded, count(current_again_at)::int as again from publication`
    return row!
  }

  it('is an earlier one again at every instant at which the newer ones were withdrawn', async () => {
    await seedProviders(db.sql, day(-1), [{ provider: 'acme' }])
    await publish(db.sql, of('1'), day(0))
    const [second] = await publish(db.sql, of('2'), day(1))
    const [third] = await publish(db.sql, of('3'), day(2))
    expect(await settled()).toEqual({ superseded: 2, again: 0 })
    await withdraw(db.sql, [second!], day(3))
    expect(await settled()).toEqual({ superseded: 2, again: 0 })
    await withdraw(db.sql, [third!], day(4))
    await publishing(db.sql, (tx, stamp) => restoreIn(tx, stamp, [second!]), day(5))
    await publishing(
      db.sql,
      async (tx, stamp) => {
        await withdrawIn(tx, stamp, [second!])
        await publishIn(tx, stamp, of('4'))
      },
      day(6),
    )
    const seen = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => currentAt(day(n))))
    expect(seen.flat()).toEqual(['1', '2', '3', '3', '1', '2', '4', '4'])
  })

  it('is not looked up where a row was replaced in one publication: the period that ends there is never current again', async () => {
    await seedProviders(db.sql, day(-1), [{ provider: 'acme' }])
    await publish(db.sql, of('1'), day(0))
    const [second] = await publish(db.sql, of('2'), day(1))
    await publishing(
      db.sql,
      async (tx, stamp) => {
        await withdrawIn(tx, stamp, [second!])
        await publishIn(tx, stamp, of('3'))
      },
      day(2),
    )
    expect(await settled()).toEqual({ superseded: 1, again: 0 })
    expect(await currentAt(day(2))).toEqual(['3'])
  })

  it('of a row that is served again beside a newer one is still the newer one', async () => {
    await seedProviders(db.sql, day(-1), [{ provider: 'acme' }])
    const [first] = await publish(db.sql, of('1'), day(0))
    await withdraw(db.sql, [first!], day(1))
    await publish(db.sql, of('2'), day(2))
    await publishing(db.sql, (tx, stamp) => restoreIn(tx, stamp, [first!]), day(3))
    expect((await Promise.all([0, 1, 2, 3].map((n) => currentAt(day(n))))).flat()).toEqual(['1', '2', '2'])
  })
})
