import { describe, expect, it } from 'vitest'
import { raisePriceVersion } from '../../../src/catalog/sources/source-ingest-store.ts'
import { confirmPrices } from '../../../src/prices/ingest/confirm-prices.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import { reviewRevision } from '../../../src/prices/review/revision-rules.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { findItems } from '../../../src/review/find-in-queue.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'
import { day, model, models, observed } from '../observed.ts'
import { eventsOf, priceNow, snapshot } from '../support.ts'

const who = { actor: 'ada', reason: 'seen on the price page' }
const changed = { code: 'review_changed', message: expect.stringMatching(/changed since you saw it/) }

describe('a decision about what was shown', () => {
  const db = testDatabase({ each: true })
  const rest = models(8)
  const priced = (input: string, output: string) => [
    ...rest,
    observed('r', 'input_tokens', input),
    observed('r', 'output_tokens', output),
  ]
  const taken = (n: number, lines: Parameters<typeof snapshot>[2]) => snapshot(db.sql, 's', lines, { at: day(n) })
  /** The input price of a resource is held; its output price stays. */
  async function heldInput() {
    await taken(0, priced('0.000002', '0.000008'))
    await taken(1, priced('0.002', '0.000008'))
    return onlyItem()
  }
  async function onlyItem() {
    const items = await findItems(db.sql, {}, 10)
    expect(items).toHaveLength(1)
    return items[0]!
  }
  const decide = (item: { id: string; revision: string }, decision: 'approve' | 'reject' = 'approve') =>
    decideReview(db.sql, { reviewId: item.id, revision: item.revision, decision, ...who, at: day(5) })
  const waiting = async () => (await openReviewItems(db.sql)).length

  it('is carried out while the item is as it was', async () => {
    const item = await heldInput()
    expect(await decide(item)).toMatchObject({ rows: 1, events: { 'price.changed': 1 } })
    expect(await priceNow(db.sql, 'r')).toBe('0.002')
  })

  it('is refused when another held price joined the set of its resource, and decides nothing', async () => {
    const item = await heldInput()
    await taken(2, priced('0.002', '0.008'))
    const items = await findItems(db.sql, {}, 10)
    // What is shown of each is what its decision carries out: both prices of the resource.
    expect(items.map(({ rows }) => rows.length)).toEqual([2, 2])
    for (const decision of ['approve', 'reject'] as const)
      await expect(decide(item, decision)).rejects.toMatchObject(changed)
    expect(await waiting()).toBe(2)
    expect(await priceNow(db.sql, 'r', 'output_tokens')).toBe('0.000008')
    expect(await decide(items.find(({ id }) => id === item.id)!)).toMatchObject({ rows: 2 })
    expect(await waiting()).toBe(0)
  })

  it('is refused in a preview too', async () => {
    const item = await heldInput()
    await taken(2, priced('0.002', '0.008'))
    const preview = { reviewId: item.id, decision: 'approve' as const, dryRun: true, ...who }
    await expect(decideReview(db.sql, { ...preview, revision: item.revision })).rejects.toMatchObject(changed)
    expect(await decideReview(db.sql, preview)).toMatchObject({ rows: 2 })
  })

  it('is refused when a snapshot lets the item grow while the decision waits for it', async () => {
    const item = await heldInput()
    const decision = await db.sql.begin(async (tx) => {
      await raisePriceVersion(tx, 's')
      const pending = decide(item).catch((error) => error)
      await someoneWaits(db.sql)
      // What a snapshot does that holds the price of another line of the resource.
      await tx`
        update price_line set held_hash = current_hash where resource = 'r' and dimension = 'output_tokens'`
      return { pending }
    })
    expect(await decision.pending).toMatchObject(changed)
    expect(await eventsOf(db.sql, 'price.changed')).toEqual([])
    expect(await waiting()).toBe(1)
  })

  it('is carried out after time passed and fetches brought the same again', async () => {
    const item = await heldInput()
    const before = await db.sql`select held_fetches as fetches from price_line where held_hash is not null`
    await confirmPrices(db.sql, 's', day(1.2))
    for (const at of [1.3, 1.6]) await taken(at, priced('0.002', '0.000008'))
    // The same in another order, with other prices of other resources.
    await taken(1.9, [...priced('0.002', '0.000008').toReversed(), ...model('other', 0.000003)])
    const after = await db.sql`select held_fetches as fetches from price_line where held_hash is not null`
    expect(after[0]!.fetches).toBeGreaterThan(before[0]!.fetches)
    expect((await onlyItem()).revision).toBe(item.revision)
    expect(await decide(item)).toMatchObject({ rows: 1 })
  })

  it('is carried out when the item waits for other reasons than before', async () => {
    const item = await heldInput()
    await db.sql`update review set reasons = '{large_change}'`
    await db.sql`update review_row set reasons = '{large_change}', evidence = null`
    expect((await onlyItem()).revision).toBe(item.revision)
  })

  it('knows a removal by its resources and their lines, however often they are missing', async () => {
    const lines = models(10)
    await taken(1, lines)
    for (const n of [2, 3, 4, 5]) await taken(n, lines.slice(0, 14))
    const [removal] = await openReviewItems(db.sql, 1, { kind: 'removal' })
    expect([removal!.detail.resources, removal!.missing.length]).toEqual([expect.any(Array), 6])
    await taken(6, lines.slice(0, 14).toReversed())
    const again = (await openReviewItems(db.sql, 1, { kind: 'removal' }))[0]!
    expect(reviewRevision(again)).toBe(reviewRevision(removal!))
    for (const n of [7, 8, 9, 10]) await taken(n, lines.slice(0, 12))
    const grown = (await openReviewItems(db.sql, 1, { kind: 'removal' }))[0]!
    expect([grown.reviewId, grown.missing.length]).toEqual([removal!.reviewId, 8])
    const shown = { reviewId: grown.reviewId, decision: 'approve' as const, ...who, at: day(11) }
    await expect(decideReview(db.sql, { ...shown, revision: reviewRevision(removal!) })).rejects.toMatchObject(changed)
    await decideReview(db.sql, { ...shown, revision: reviewRevision(grown) })
    expect(await eventsOf(db.sql, 'resource.removed')).toHaveLength(4)
  })

  it('knows missing prices by the lines that would end', async () => {
    const base = models(60)
    const cached = base
      .filter(({ dimension }) => dimension === 'input_tokens')
      .map(({ resource, price }) =>
        observed(resource, 'cache_read_tokens', (Number(price) / 10).toFixed(12).replace(/0+$/, '')),
      )
    await taken(1, [...base, ...cached])
    for (const n of [2, 3, 4, 5]) await taken(n, base)
    const lost = async () => (await openReviewItems(db.sql, 1, { kind: 'line_removal' }))[0]!
    const item = await lost()
    expect(item.missing).toHaveLength(60)
    await taken(6, base.toReversed())
    expect(reviewRevision(await lost())).toBe(reviewRevision(item))
    // A line that the item does not name is not part of it.
    await db.sql`
      update price_line set missing_since = ${day(6)} where resource = ${base[0]!.resource} and dimension = 'output_tokens'`
    expect(reviewRevision(await lost())).toBe(reviewRevision(item))
    // One comes back: the rest is another decision.
    await taken(7, [...base, cached[0]!])
    const fewer = await lost()
    expect([fewer.reviewId, fewer.missing.length]).toEqual([item.reviewId, 59])
    expect(reviewRevision(fewer)).not.toBe(reviewRevision(item))
  })

  it('knows a snapshot by what it says, however often it is served', async () => {
    const lines = models(20)
    await taken(0, lines)
    await taken(1, lines.slice(0, 4))
    const item = await onlyItem()
    expect(item.kind).toBe('snapshot')
    for (const n of [1.1, 1.2]) await taken(n, lines.slice(0, 4))
    const [served] = await db.sql`select detail->>'fetches' as fetches from review where decided_at is null`
    expect(served).toEqual({ fetches: '3' })
    expect((await onlyItem()).revision).toBe(item.revision)
    await taken(1.3, lines.slice(0, 6))
    const other = await onlyItem()
    expect([other.id === item.id, other.revision === item.revision]).toEqual([false, false])
    await expect(decide(item)).rejects.toMatchObject({ code: 'not_found' })
    expect(await decide(other)).toMatchObject({ kind: 'snapshot' })
  })
})
