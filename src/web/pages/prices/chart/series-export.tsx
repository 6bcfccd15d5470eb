import type { Series, SeriesRow } from '../../../api/prices.ts'
import { PRICE_COLUMNS } from '../take-away/csv.ts'
import { finalInstant, notYetText } from '../take-away/request.ts'
import { TakeAway } from '../take-away/take-away.tsx'
import { type ShownGroup, seriesRequest } from './series-request.ts'

type Props = {
  name: string
  rows: SeriesRow[]
  /** Every row of the resources, where the page shows a part of them. */
  all?: SeriesRow[]
  series: Pick<Series, 'asOf' | 'newest' | 'finalFrom' | 'leftOut'>
  group?: ShownGroup | undefined
}

/** The history that a page shows, to take away. */
export function SeriesExport({ name, rows, all = rows, series, group }: Props) {
  const request = () => {
    const { leftOut, finalFrom } = series
    const view = { asOf: finalInstant(series), origin: location.origin, shown: rows, all, leftOut, group }
    const { curl, about } = seriesRequest(view)
    return { curl, about: about + notYetText(finalFrom) }
  }
  return <TakeAway name={name} table={() => tableOf(rows)} request={request} />
}

const tableOf = (rows: SeriesRow[]): unknown[][] => [
  [...PRICE_COLUMNS, 'contentHash', 'status', 'publishedAt', 'unpublishedAt', 'snapshot', 'locator'],
  ...rows.map((row) => [
    ...[row.provider, row.source, row.resource, row.dimension, row.unit, row.currency, row.tier, row.price],
    ...[row.recordedAt, row.contentHash, row.status, row.publishedAt, row.unpublishedAt, row.snapshotHash, row.locator],
  ]),
]
