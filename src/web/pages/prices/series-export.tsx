import type { SeriesRow } from '../../api/prices.ts'
import { PRICE_COLUMNS } from './csv.ts'
import { curlOf } from './request.ts'
import { TakeAway } from './take-away.tsx'

type Props = { name: string; rows: SeriesRow[]; asOf: string; alias?: string | undefined }

/** The history that a page shows, to take away. */
export function SeriesExport({ name, rows, asOf, alias }: Props) {
  const request = () => {
    const served = rows.filter(({ unpublishedAt }) => unpublishedAt === null)
    const gone = rows.length - served.length
    const urls = alias ? [urlOf(asOf, [['alias', alias]])] : namesOf(served).map((names) => urlOf(asOf, names))
    const left = gone > 0 ? ` ${gone} more on this page are no longer served: they were withdrawn or removed.` : ''
    const about = `This returns the ${served.length} rows of this history, earlier prices included, in exact decimals per one unit.${left}`
    return { curl: urls.map((url) => curlOf(url)).join('\n'), about }
  }
  return <TakeAway name={name} table={() => tableOf(rows)} request={request} />
}

type Parameter = [name: string, value: string]

/** One request for each resource: its provider, and the names it has and had. */
function namesOf(rows: SeriesRow[]): Parameter[][] {
  const requests = new Map<string, { provider: string; names: Set<string> }>()
  for (const { provider, listed, resource } of rows) {
    const key = JSON.stringify([provider, listed])
    const request = requests.get(key) ?? { provider, names: new Set() }
    requests.set(key, request)
    request.names.add(resource)
  }
  return [...requests.values()].map(({ provider, names }) => [
    ['providers', provider],
    ...[...names].sort().map((name): Parameter => ['resource', name]),
  ])
}

const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')

const urlOf = (asOf: string, parameters: Parameter[]): string =>
  `${location.origin}/v1/prices/history?asOf=${asOf}&${parameters.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}&limit=10000`

const tableOf = (rows: SeriesRow[]): unknown[][] => [
  [...PRICE_COLUMNS, 'contentHash', 'status', 'publishedAt', 'unpublishedAt', 'snapshot', 'locator'],
  ...rows.map((row) => [
    ...[row.provider, row.source, row.resource, row.dimension, row.unit, row.currency, row.tier, row.price],
    ...[row.recordedAt, row.contentHash, row.status, row.publishedAt, row.unpublishedAt, row.snapshotHash, row.locator],
  ]),
]
