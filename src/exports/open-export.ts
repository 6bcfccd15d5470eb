import { AppError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { openHistory } from '../prices/history/read-history.ts'
import { LOG_RETRY_SECONDS, signedLog } from '../proof/newest-log.ts'
import { proofHashes } from '../proof/tree/stored-hashes.ts'
import { consistencyRanges } from '../proof/tree/tree-rules.ts'
import type { ExportedRow, ExportProof } from './schema.ts'
import { leavesUntil } from './verify/read-leaves.ts'
import { readLines, readOtherLeaves } from './verify/read-lines.ts'
import { readTileHashes } from './verify/read-tile-hashes.ts'

/** What a file is made of: its rows in parts, and what it is verified with. */
export type OpenExport = {
  asOf: Instant
  size: number
  rows: AsyncIterable<ExportedRow[]>
  proof(): Promise<ExportProof>
}

type ExportOptions = { asOf?: Instant; providers?: string[] }

/**
 * Opens the whole history as the publication log has it at an instant, or at the newest that may be read: a line for each
 * leaf about a row.
 * @throws AppError as_of_too_recent, history_lost, invalid_query for a provider that does not exist; unavailable while
 * the log has no checkpoint
 */
export async function openExport(sql: Sql, { asOf: wanted, providers }: ExportOptions): Promise<OpenExport> {
  const { scope } = await openHistory(sql, { asOf: wanted, providers, limit: 1, after: '' })
  const checkpoint = await signedLog(sql)
  const found = await leavesUntil(sql, scope.asOf, checkpoint.size)
  if (!found) throw notLogged(scope.asOf)
  const { size, at: asOf } = found
  return {
    asOf,
    size,
    rows: readLines(sql, { asOf, providers, size }),
    proof: async () => ({
      asOf,
      ...(providers && { providers }),
      size,
      checkpoint: checkpoint.note,
      consistency: await proofHashes(sql, consistencyRanges(size, checkpoint.size)),
      tiles: await readTileHashes(sql, size),
      otherLeaves: await readOtherLeaves(sql, size),
    }),
  }
}

const notLogged = (asOf: Instant): AppError =>
  new AppError(
    'unavailable',
    `The publication log has nothing up to ${asOf} yet: its newest leaves come with the next check.`,
    { retryAfter: LOG_RETRY_SECONDS },
  )
