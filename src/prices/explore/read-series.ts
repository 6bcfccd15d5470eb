import type { Instant } from '../../lib/instant.ts'
import { type ShownUnit, shownUnit } from '../../lib/price-text.ts'
import type { Sql } from '../../lib/sql.ts'
import { providerNames } from './explore-store.ts'
import { openInstant } from './open-instant.ts'
import { type Renaming, type ResourceName, renamingsTo, type SeriesRow, seriesRows } from './series-store.ts'

export type Series = {
  asOf: Instant
  newest: Instant
  first?: Instant
  rows: (SeriesRow & ShownUnit)[]
  /** How many older rows there are beside these: a page shows no more. */
  leftOut: number
  renamings: Renaming[]
  providers: Record<string, string>
}

/**
 * Returns the history of some resources until an instant: the rows that were ever served, with their evidence.
 * @throws AppError as_of_too_recent
 */
export async function readSeries(sql: Sql, names: ResourceName[], wanted: { asOf?: Instant }): Promise<Series> {
  const { asOf, range } = await openInstant(sql, wanted)
  const [{ rows, leftOut }, renamings, providers] = await Promise.all([
    seriesRows(sql, asOf, names),
    renamingsTo(sql, asOf, names),
    providerNames(sql),
  ])
  const shown = rows.map((row) => ({ ...row, ...shownUnit(row.unit) }))
  return { asOf, ...range, rows: shown, leftOut, renamings, providers }
}
