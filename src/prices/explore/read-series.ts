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
  renamings: Renaming[]
  providers: Record<string, string>
}

/**
 * Returns the whole history of some resources until an instant: every row that was ever served, with its evidence.
 * @throws AppError as_of_too_recent
 */
export async function readSeries(sql: Sql, names: ResourceName[], wanted: { asOf?: Instant }): Promise<Series> {
  const { asOf, range } = await openInstant(sql, wanted)
  const [rows, renamings, providers] = await Promise.all([
    seriesRows(sql, asOf, names),
    renamingsTo(sql, asOf, names),
    providerNames(sql),
  ])
  return { asOf, ...range, rows: rows.map((row) => ({ ...row, ...shownUnit(row.unit) })), renamings, providers }
}
