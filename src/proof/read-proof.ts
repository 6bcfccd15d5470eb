import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { rowFacts } from '../prices/row-rules.ts'
import { storedRows } from '../prices/store/row-store.ts'
import { type LogState, logState, newestCheckpoint } from './log-store.ts'
import { notSignedYet, signedLog } from './newest-log.ts'
import type { Consistency, Inclusion } from './schema.ts'
import { placeRows } from './tree/place-rows.ts'
import { proofHashes } from './tree/stored-hashes.ts'
import { consistencyRanges, inclusionRanges } from './tree/tree-rules.ts'

/**
 * Returns the proof that a row was published: of the newest leaf that says so, in the tree of the newest checkpoint.
 * @throws AppError row_not_logged, with what there is to do
 */
export async function readProof(sql: Sql, contentHash: string): Promise<Inclusion> {
  const [checkpoint, rows, [row]] = await Promise.all([
    newestCheckpoint(sql),
    placeRows(sql, [contentHash]),
    storedRows(sql, [contentHash]),
  ])
  const placed = rows.get(contentHash)
  if (!placed || !row) {
    throw new AppError(
      'row_not_logged',
      'No row with this contentHash was ever published here. Read the row again from the price history: if it comes with this contentHash, the operator removed its record, which npx pricetape verify shows.',
    )
  }
  const { seq, leaf, index } = placed
  if (!checkpoint) throw notSignedYet()
  if (index === undefined) throw notLogged(await logState(sql), seq)
  if (index >= checkpoint.size) throw notSigned()
  return {
    leafIndex: index,
    leaf,
    row: rowFacts(row.source, row, row, row.recordedAt),
    hashes: await proofHashes(sql, inclusionRanges(index, checkpoint.size)),
    checkpoint: checkpoint.note,
  }
}

const notSigned = () =>
  new AppError('row_not_logged', 'This row is so new that no checkpoint covers it yet: ask again in five minutes.')

const notLogged = ({ afterSeq }: LogState, seq: number): AppError =>
  seq > afterSeq
    ? notSigned()
    : new AppError(
        'row_not_logged',
        'The publication log has no leaf for this row as it is recorded now: the record was changed after it was logged. The operator sees what differs with npx pricetape verify.',
      )

/** @throws AppError log_shorter where the log ends before `from` */
export async function readConsistency(sql: Sql, from: number): Promise<Consistency> {
  const { origin, size, note } = await signedLog(sql)
  if (from > size) {
    throw new AppError(
      'log_shorter',
      `The log ${origin} ends at ${size}, and was asked for ${from}. GET /v1/log/keys lists what restores lost; if none explains it, the log was cut.`,
      { field: 'from' },
    )
  }
  const hashes = await proofHashes(sql, consistencyRanges(from, size))
  return { from, to: size, hashes, checkpoint: note }
}
