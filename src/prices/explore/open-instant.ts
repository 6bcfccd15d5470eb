import { AS_OF_DELAY_MS } from '../../catalog/clock/clock-rules.ts'
import { earliest, type Instant, latest, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type ConfirmedBy, MAX_PAGE_ROWS } from '../history/history-rules.ts'
import { type OpenHistory, openHistory } from '../history/read-history.ts'
import { type RecordedRange, recordedRange } from './explore-store.ts'

/** Returns the instants that can be read. */
export const readRange = async (sql: Sql): Promise<RecordedRange> => (await recordedRange(sql)).range

export type WantedInstant = { asOf?: Instant; providers?: string[]; confirmed?: ConfirmedBy }
/** What a page shows, and the instants that can be read. */
export type ShownRange = RecordedRange & {
  asOf: Instant
  /** From when everything that is shown is final, and can be read by programs; absent where it is. */
  finalFrom?: Instant
}
export type OpenInstant = { open: OpenHistory; asOf: Instant; range: ShownRange }

/**
 * Opens the history at an instant, or at the last publication: then everything that is published is shown, also what is
 * not final yet. @throws AppError as {@link openHistory}
 */
export async function openInstant(sql: Sql, wanted: WantedInstant): Promise<OpenInstant> {
  const { range, published, changed } = await recordedRange(sql)
  const asOf = wanted.asOf ?? latest(range.newest, published)
  const { providers, confirmed } = wanted
  const filters = { current: true as const, confirmed }
  const request = { asOf, providers, filters, limit: MAX_PAGE_ROWS, after: '' }
  const open = await openHistory(sql, request, wanted.asOf === undefined)
  const first = range.first && earliest(range.first, asOf)
  const finalFrom = changed && wanted.asOf === undefined ? finalAt(changed) : undefined
  return { open, asOf, range: { ...range, asOf, ...(first && { first }), ...(finalFrom && { finalFrom }) } }
}

/** Returns from when what was published at an instant is final. */
export const finalAt = (published: Instant): Instant => plus(published, AS_OF_DELAY_MS)
