import { AppError } from '../lib/errors.ts'
import type { Db, Sql } from '../lib/sql.ts'
import { moneyOf, rowFacts } from '../prices/row-rules.ts'
import { storedRows } from '../prices/store/row-store.ts'
import { newestPublishing } from './changes-store.ts'
import { leafText, type RowLeaf, unbundle } from './leaf-rules.ts'
import { type LogState, logState } from './log-store.ts'
import { signedLog } from './newest-log.ts'
import type { Consistency, Inclusion } from './schema.ts'
import { rangeHashes } from './sign-checkpoint.ts'
import { TILE_WIDTH } from './tile-rules.ts'
import { entriesOfStatus } from './tile-store.ts'
import { consistencyRanges, inclusionRanges } from './tree-rules.ts'

/**
 * Returns the proof that a row was published: of the newest leaf that says so, in the tree of the newest checkpoint.
 * @throws AppError row_not_logged, with what there is to do
 */
export async function readProof(sql: Sql, contentHash: string): Promise<Inclusion> {
  const [published, [row]] = await Promise.all([newestPublishing(sql, contentHash), storedRows(sql, [contentHash])])
  if (!published || !row) {
    throw new AppError(
      'row_not_logged',
      'No row with this contentHash was ever published here. Read the row again from the price history: if it comes with this contentHash, the operator removed its record, which npx pricetape verify shows.',
    )
  }
  const { seq, at, status } = published
  const text = leafText({ kind: 'row', at, contentHash, status } satisfies RowLeaf)
  const [checkpoint, index] = await Promise.all([signedLog(sql), leafIndexOf(sql, seq, text)])
  if (index === undefined) throw notLogged(await logState(sql), seq)
  if (index >= checkpoint.size) throw notSigned()
  const hashes = await rangeHashes(sql, inclusionRanges(index, checkpoint.size))
  return {
    leafIndex: index,
    leaf: text,
    row: rowFacts(row.source, row, moneyOf(row), row.recordedAt),
    hashes: hashes.map((hash) => hash.toString('base64')),
    checkpoint: checkpoint.note,
  }
}

/** Returns where the leaf of a status is; undefined where it is not in the log. */
async function leafIndexOf(db: Db, seq: number, text: string): Promise<number | undefined> {
  const found = await entriesOfStatus(db, seq)
  const wanted = Buffer.from(text)
  const place = found ? unbundle(found.entries).findIndex((leaf) => leaf.equals(wanted)) : -1
  return place < 0 ? undefined : found!.tile * TILE_WIDTH + place
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
  const hashes = await rangeHashes(sql, consistencyRanges(from, size))
  return { from, to: size, hashes: hashes.map((hash) => hash.toString('base64')), checkpoint: note }
}
