import { describe, expect, it } from 'vitest'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { raisePriceVersion } from '../../../src/catalog/sources/source-ingest-store.ts'
import { approveRemoval } from '../../../src/prices/review/approve-removal.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { syncAbsenceReviews } from '../../../src/prices/store/absence-review-store.ts'
import { type OpenReview, openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'
import { day, model, models } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

const who = { actor: 'ada', reason: 'seen on the price page' }

describe('a decision that a snapshot overtakes', () => {
  const db = testDatabase({ each: true })
  const rest = models(8)

  it('is refused when the snapshot closes its item while the decision waits for it', async () => {
    await snapshot(db.sql, 's', [...rest, ...model('magistral-medium-2506', 0.0000077)], { at: day(0) })
    await snapshot(db.sql, 's', [...rest, ...model('magistral-medium', 0.0000077)], { at: day(1) })
    const [item] = await openReviewItems(db.sql)
    expect(item?.kind).toBe('rename')
    const decide = () => decideReview(db.sql, { reviewId: item!.reviewId, decision: 'approve', ...who, at: day(2) })
    // What a snapshot does that lists both names again: readers see no difference, so it takes no stamp.
    const { decision } = await db.sql.begin(async (tx) => {
      await raisePriceVersion(tx, 's')
      const waiting = decide().catch((error) => error)
      await someoneWaits(db.sql)
      await syncAbsenceReviews(tx, 's', day(2), [])
      return { decision: waiting }
    })
    expect(await decision).toMatchObject({ code: 'not_found' })
    expect(await eventsOf(db.sql, 'resource.renamed')).toEqual([])
    const [closed] = await db.sql`select decision from review where review_id = ${item!.reviewId}`
    expect(closed).toEqual({ decision: 'superseded' })
  })

  it('removes nothing again that is not listed any more', async () => {
    await snapshot(db.sql, 's', rest, { at: day(0) })
    const item = { source: 's', provider: 'acme', detail: { resources: ['left before'] } } as OpenReview
    const removed = await publishing(db.sql, (tx, stamp) => approveRemoval(tx, stamp, item), day(1))
    expect(removed).toEqual({ changes: [], rows: 0 })
  })

  it('leaves alone the prices that the source has changed again', async () => {
    const raised = (factor: (resource: string) => number): Observation[] =>
      models(8).map((line) => ({ ...line, price: scaled(line.price, factor(line.resource)) }))
    const once = raised(() => 1.25)
    await snapshot(db.sql, 's', rest, { at: day(0) })
    await snapshot(db.sql, 's', once, { at: day(20) })
    const [mass] = await openReviewItems(db.sql)
    expect(mass).toMatchObject({ kind: 'mass_change', rows: { length: 16 } })
    const twice = raised((resource) => (resource === 'filler-a0' ? 1250 : 1.25))
    await snapshot(db.sql, 's', twice, { at: day(20.1) })
    const outcome = await decideReview(db.sql, { reviewId: mass!.reviewId, decision: 'approve', ...who, at: day(20.2) })
    expect(outcome).toEqual({ kind: 'mass_change', rows: 14, events: { 'price.changed': 14 } })
    expect([await priceNow(db.sql, 'filler-a0'), await priceNow(db.sql, 'filler-b1')]).toEqual([
      '0.000002001',
      '0.00000375125',
    ])
    expect(await openReviewItems(db.sql)).toMatchObject([{ kind: 'price', rows: { length: 2 } }])
  })
})

const scaled = (price: string, factor: number) => (Number(price) * factor).toFixed(12).replace(/0+$/, '')
