import { earliest, type Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type ConfirmedBy, MAX_PAGE_ROWS } from '../history/history-rules.ts'
import { type OpenHistory, openHistory } from '../history/read-history.ts'
import { type RecordedRange, recordedRange } from './explore-store.ts'

/** Returns the instants that can be read. */
export const readRange = (sql: Sql): Promise<RecordedRange> => recordedRange(sql)

export type WantedInstant = { asOf?: Instant; providers?: string[]; confirmed?: ConfirmedBy }
export type OpenInstant = { open: OpenHistory; asOf: Instant; range: RecordedRange }

/**
 * Opens the history at an instant, or at the newest one that may be read, as the read API does.
 * @throws AppError as {@link openHistory}
 */
export async function openInstant(sql: Sql, wanted: WantedInstant): Promise<OpenInstant> {
  const range = await recordedRange(sql)
  const asOf = wanted.asOf ?? range.newest
  const { providers, confirmed } = wanted
  const filters = { current: true as const, confirmed }
  const open = await openHistory(sql, { asOf, providers, filters, limit: MAX_PAGE_ROWS, after: '' })
  return { open, asOf, range: { ...range, first: range.first && earliest(range.first, asOf) } }
}
