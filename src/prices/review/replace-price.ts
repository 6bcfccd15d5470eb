import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { isCanonicalDecimal } from '../../lib/decimal.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { replacedState, supersededRow } from '../publish/line-state-rules.ts'
import { publishRows } from '../publish/publish-rows.ts'
import { contentHash as hashOf, moneyOf } from '../row-rules.ts'
import { closeOvertakenReviews } from '../store/review-store.ts'
import { type Correction, lockRow, recordCorrection } from './correct-price.ts'

/**
 * Replaces a published price that is wrong by the right one, in one publication with one event. The source's price has
 * no effect until the source publishes another one. A price that is held is older than the new row, so it is superseded:
 * the next snapshot that says it holds it again. Returns the event's id and the new row.
 * @throws AppError not_found, or invalid_body when the row is not published or the price is not another decimal.
 */
export async function replacePrice(
  sql: Sql,
  { contentHash, price, actor, reason, at }: Correction & { price: string },
): Promise<{ event: string; contentHash: string }> {
  if (!isCanonicalDecimal(price))
    throw new AppError('invalid_body', `${price} is not a canonical decimal.`, { field: 'price' })
  const replaceNow = async (tx: Tx, stamp: Stamp) => {
    const { row, line, previous } = await lockRow(tx, contentHash)
    if (!row.publishedAt) throw new AppError('invalid_body', `The row is ${row.status}, not published.`)
    if (previous?.contentHash !== contentHash)
      throw new AppError('invalid_body', 'The row is not the newest price of its line: correct that one.')
    if (row.price === price) throw new AppError('invalid_body', `The price is ${price} already.`, { field: 'price' })
    const current = { ...row, price, recordedAt: stamp.at, contentHash: '' }
    current.contentHash = hashOf(row.source, row, { ...moneyOf(row), price }, stamp.at)
    await publishRows(tx, stamp, {
      source: row.source,
      recorded: [current],
      rows: [
        { row, status: 'withdrawn', reason, actor },
        { row: current, status: 'approved', reason, actor },
        ...(line.held ? [supersededRow(line)] : []),
      ],
      lines: [replacedState(line, current.contentHash, row.price)],
    })
    if (line.held) await closeOvertakenReviews(tx, row.source, stamp.at)
    const affected = { from: row.publishedAt, to: stamp.at }
    const change = { kind: 'withdrawn' as const, row, previous, current, affected, reason }
    return { event: await recordCorrection(tx, stamp, row, change), contentHash: current.contentHash }
  }
  return publishing(sql, replaceNow, at)
}
