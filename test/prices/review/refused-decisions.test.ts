import { beforeAll, describe, expect, it } from 'vitest'
import { restoreRow, withdrawRow } from '../../../src/prices/review/correct-price.ts'
import { decideReview, type ReviewDecision } from '../../../src/prices/review/decide-review.ts'
import { replacePrice } from '../../../src/prices/review/replace-price.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { day, model, models } from '../observed.ts'
import { snapshot } from '../support.ts'

const WHO = { actor: 'ada', reason: 'looked at' }
const db = testDatabase()
const REST = models(20)
const items = async (kind: string) => openReviewItems(db.sql, 9, { kind })
const decide = (reviewId: string, more: Partial<ReviewDecision> = {}) =>
  decideReview(db.sql, { reviewId, decision: 'approve', ...WHO, ...more })
/** What is stored: no decision that is refused changes it. */
const stored = async () => {
  const [row] = await db.sql`
    select (select count(*) from price_status)::int as statuses, (select count(*) from event)::int as events,
           (select count(*) from review where decided_at is not null)::int as decided, (select last_stamp from publication_clock)`
  return row
}

beforeAll(async () => {
  await snapshot(db.sql, 'list', [...REST, ...model('m', 0.000002), ...model('old-name', 0.0000077)], { at: day(1) })
  await snapshot(db.sql, 'list', [...REST, ...model('m', 0.002), ...model('new', 0.4)], { at: day(2) })
  await snapshot(db.sql, 'list', [], { at: day(3) })
})

describe('a decision is refused, and changes nothing,', () => {
  it('about an item that is not there or was decided, or that is not as it was shown', async () => {
    const before = await stored()
    const { reviewId } = (await items('snapshot'))[0]!
    const unknown = '01900000-0000-7000-8000-000000000000'
    const missing = { code: 'not_found', message: 'This review item does not exist or is decided already.' }
    await expect(decide(unknown)).rejects.toMatchObject(missing)
    await expect(decide('none')).rejects.toMatchObject(missing)
    await expect(decide(reviewId, { revision: 'other' })).rejects.toMatchObject({ code: 'review_changed' })
    expect(await stored()).toEqual(before)
    expect(await decide(reviewId, { decision: 'reject', dryRun: true })).toEqual({
      ...{ kind: 'snapshot', rows: 0, events: {} },
    })
    expect(await stored()).toEqual(before)
    await decide(reviewId, { decision: 'reject' })
    await expect(decide(reviewId)).rejects.toMatchObject(missing)
  })

  it('with prices that do not fit it', async () => {
    const before = await stored()
    const { reviewId, rows } = (await items('price'))[0]!
    const refused = async (more: Partial<ReviewDecision>, field: string, message: string, id = reviewId) =>
      await expect(decide(id, more)).rejects.toMatchObject({
        code: 'invalid_body',
        message: expect.stringContaining(message),
        field,
      })
    const edit = { decision: 'edit' as const }
    const price = (of: string, contentHash = rows[0]!) => [{ contentHash, price: of }]
    await refused(edit, 'edits', 'An edit names at least one row.')
    await refused({ ...edit, edits: [] }, 'edits', 'An edit names at least one row.')
    await refused({ ...edit, edits: price('1e-6') }, 'edits', '1e-6 is not a canonical decimal.')
    await refused({ ...edit, edits: price('1', 'other') }, 'edits', 'No row other waits in this item.')
    await refused({ edits: price('1') }, 'edits', 'Prices are given with the decision “edit” alone.')
    expect(await stored()).toEqual(before)
  })
})

describe('a correction is refused, and changes nothing,', () => {
  const rowOf = async (price: string) => {
    const [row] = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line using (line_id)
      where resource = 'm' and dimension = 'input_tokens' and price = ${price}`
    return { contentHash: row!.hash, ...WHO }
  }

  it('of a row that is not there or not as it has to be', async () => {
    const before = await stored()
    const [held, served] = [await rowOf('0.002'), await rowOf('0.000002')]
    const unknown = { code: 'not_found', message: 'There is no price row with this contentHash.' }
    const none = { contentHash: 'none', ...WHO }
    for (const correct of [withdrawRow, restoreRow]) await expect(correct(db.sql, none)).rejects.toMatchObject(unknown)
    await expect(replacePrice(db.sql, { ...none, price: '1' })).rejects.toMatchObject(unknown)
    const refused = (message: string) => ({ code: 'invalid_body', message })
    await expect(withdrawRow(db.sql, held)).rejects.toMatchObject(refused('The row is pending, not published.'))
    await expect(restoreRow(db.sql, held)).rejects.toMatchObject(refused('The row is pending, not withdrawn.'))
    await expect(restoreRow(db.sql, served)).rejects.toMatchObject(refused('The row is auto_approved, not withdrawn.'))
    expect(await stored()).toEqual(before)
  })

  it('to a price that is not another one, or of a row that is not the newest of its line', async () => {
    await snapshot(db.sql, 'own', model('m', 0.000002, { provider: 'own' }))
    await snapshot(db.sql, 'own', model('m', 0.000003, { provider: 'own' }))
    const hashes = await db.sql<{ hash: string }[]>`
      select content_hash as hash from price_row join price_line using (line_id)
      where source = 'own' and dimension = 'input_tokens' order by recorded_at`
    const [earlier, newest] = hashes.map(({ hash }) => ({ contentHash: hash, ...WHO }))
    const before = await stored()
    const refused = async (row: typeof earlier, price: string, message: string, field?: string) =>
      await expect(replacePrice(db.sql, { ...row!, price })).rejects.toMatchObject({
        ...{ code: 'invalid_body', message, field },
      })
    await refused(newest, '1e-6', '1e-6 is not a canonical decimal.', 'price')
    await refused(newest, '0.000003', 'The price is 0.000003 already.', 'price')
    await refused(earlier, '1', 'The row is not the newest price of its line: correct that one.')
    await refused(await rowOf('0.002'), '1', 'The row is pending, not published.')
    expect(await stored()).toEqual(before)
  })
})
