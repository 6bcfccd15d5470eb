import type { SeriesRow } from '../../api/prices.ts'
import { PRICE_COLUMNS } from './csv.ts'
import { type ShownGroup, seriesRequest } from './series-request.ts'
import { TakeAway } from './take-away.tsx'

type Props = {
  name: string
  rows: SeriesRow[]
  /** Every row of the resources, where the page shows a part of them. */
  all?: SeriesRow[]
  leftOut: number
  asOf: string
  group?: ShownGroup | undefined
}

/** The history that a page shows, to take away. */
export function SeriesExport({ name, rows, all = rows, leftOut, asOf, group }: Props) {
  const request = () => seriesRequest({ asOf, origin: location.origin, shown: rows, all, leftOut, group })
  return <TakeAway name={name} table={() => tableOf(rows)} request={request} />
}

const tableOf = (rows: SeriesRow[]): unknown[][] => [
  [...PRICE_COLUMNS, 'contentHash', 'status', 'publishedAt', 'unpublishedAt', 'snapshot', 'locator'],
  ...rows.map((row) => [
    ...[row.provider, row.source, row.resource, row.dimension, row.unit, row.currency, row.tier, row.price],
    ...[row.recordedAt, row.contentHash, row.status, row.publishedAt, row.unpublishedAt, row.snapshotHash, row.locator],
  ]),
]
