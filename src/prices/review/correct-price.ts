import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { listedName } from '../../catalog/resource-store.ts'
import { raisePriceVersion } from '../../catalog/sources/source-ingest-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import { announceDecided } from '../publish/announce-decided.ts'
import { correctedState } from '../publish/line-state-rules.ts'
import { publishRows } from '../publish/publish-rows.ts'
import { recordChanges } from '../publish/record-changes.ts'
import type { KnownLine } from '../schema.ts'
import { knownLines } from '../store/line-state-store.ts'
import { discontinuedLines } from '../store/publication-store.ts'
import { newestRefused, newestServed, type StoredRow, storedRows } from '../store/row-store.ts'

export type Correction = { contentHash: string; actor: string; reason: string; at?: Instant }

/**
 * Withdraws a published row as wrong: it is no longer served, its line's earlier row is the price again, and the
 * source's price has no effect until the source publishes another one. Returns the event's id.
 * @throws AppError not_found, or invalid_body when the row is not published.
 */
export async function withdrawRow(sql: Sql, { contentHash, actor, reason, at }: Correction): Promise<string> {
  const withdrawNow = async (tx: Tx, stamp: Stamp) => {
    const { row, line, previous } = await lockRow(tx, contentHash)
    if (!row.publishedAt) throw new AppError('invalid_body', `The row is ${row.status}, not published.`)
    const current = await servedRow(tx, row.lineId, { except: contentHash })
    const decidedPrice = previous?.contentHash === contentHash ? row.price : line.decidedPrice
    await publishRows(tx, stamp, {
      source: row.source,
      rows: [{ row, status: 'withdrawn', reason, actor }],
      lines: [correctedState(line, current?.contentHash, decidedPrice)],
    })
    const affected = { from: row.publishedAt, to: stamp.at }
    return recordCorrection(tx, stamp, row, { kind: 'withdrawn', row, previous, current, affected, reason })
  }
  return publishing(sql, withdrawNow, at)
}

/**
 * Serves a withdrawn row again. Returns the event's id.
 * @throws AppError not_found, or invalid_body when the row is not withdrawn or its source no longer lists the price.
 */
export async function restoreRow(sql: Sql, { contentHash, actor, reason, at }: Correction): Promise<string> {
  const restoreNow = async (tx: Tx, stamp: Stamp) => {
    const { row, line, previous } = await lockRow(tx, contentHash)
    if (row.status !== 'withdrawn') throw new AppError('invalid_body', `The row is ${row.status}, not withdrawn.`)
    await requireListed(tx, row, line)
    const current = previous && previous.recordedAt > row.recordedAt ? previous : row
    const { decidedPrice = row.price } = line
    const stillDecided =
      decidedPrice === row.price ? await newestRefused(tx, row.lineId, current.recordedAt) : decidedPrice
    await publishRows(tx, stamp, {
      source: row.source,
      rows: [{ row, status: 'approved', reason, actor }],
      lines: [correctedState(line, current.contentHash, stillDecided)],
    })
    const affected = { from: row.statusAt, to: stamp.at }
    return recordCorrection(tx, stamp, row, { kind: 'restored', row, previous, current, affected, reason })
  }
  return publishing(sql, restoreNow, at)
}

/** Reads a row with its line once no snapshot of its source is being ingested, and the line's price before. */
export async function lockRow(
  tx: Tx,
  contentHash: string,
): Promise<{ row: StoredRow; line: KnownLine; previous?: StoredRow }> {
  const [found] = await storedRows(tx, [contentHash])
  if (!found) throw new AppError('not_found', 'There is no price row with this contentHash.')
  await raisePriceVersion(tx, found.source)
  const [row] = await storedRows(tx, [contentHash])
  const [line] = await knownLines(tx, found.source, [found.lineId])
  return { row: row!, line: line!, previous: await servedRow(tx, found.lineId) }
}

/** A removal ends every row of a line: a row that was withdrawn before it must not outlive it. */
async function requireListed(tx: Tx, row: StoredRow, line: KnownLine): Promise<void> {
  const { source, provider, resource, lineId } = row
  const listed = await listedName(tx, source, row)
  const isListed =
    listed === resource
      ? line.removedAt === undefined
      : listed !== undefined &&
        !(await discontinuedLines(tx, source, [{ provider, resource, listed }])).includes(lineId)
  if (isListed) return
  throw new AppError('invalid_body', 'Its source no longer lists this price. The row can be restored once it does.')
}

async function servedRow(tx: Tx, lineId: string, options?: { except: string }): Promise<StoredRow | undefined> {
  const hash = await newestServed(tx, lineId, options)
  return hash ? (await storedRows(tx, [hash]))[0] : undefined
}

/** Records the event of a correction. Returns its id. */
export async function recordCorrection(tx: Tx, stamp: Stamp, row: StoredRow, change: Change): Promise<string> {
  await announceDecided(tx, stamp.at, [change])
  const { ids } = await recordChanges(tx, stamp, row.source, [change])
  return ids[0]!
}
