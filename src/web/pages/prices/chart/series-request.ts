import type { SeriesRow } from '../../../api/prices.ts'
import { MAX_ROWS } from '../../../limits.ts'
import { curlOf } from '../take-away/request.ts'

type Row = Pick<SeriesRow, 'provider' | 'listed' | 'resource' | 'publishedAt' | 'unpublishedAt'>
type View = {
  asOf: string
  origin: string
  /** What the page shows. */
  shown: Row[]
  /** Every row of the resources that it shows. */
  all: Row[]
  /** Older rows that the page leaves out. */
  leftOut: number
  group?: ShownGroup | undefined
}
/** The alias group that a page shows, with its members. */
export type ShownGroup = { id: string; members: Pick<Row, 'provider' | 'resource'>[] }

/** Returns the commands that return the rows of a history, and what they return besides or do not return. */
export function seriesRequest({ asOf, origin, shown, all, leftOut, group }: View): { curl: string; about: string } {
  const served = all.filter((row) => isServed(row, asOf))
  const requests = group === undefined ? byResource(served) : byGroup(served, group)
  const urls = requests.map((parameters) => urlOf(origin, asOf, parameters))
  return { curl: urls.map((url) => curlOf(url)).join('\n'), about: aboutOf(shown, served, { asOf, leftOut }) }
}

const isServed = ({ publishedAt, unpublishedAt }: Row, asOf: string): boolean =>
  publishedAt <= asOf && (unpublishedAt === null || unpublishedAt > asOf)
const count = (rows: number) => rows.toLocaleString('en')

function aboutOf(shown: Row[], served: Row[], { asOf, leftOut }: Pick<View, 'asOf' | 'leftOut'>): string {
  const final = shown.filter(({ publishedAt }) => publishedAt <= asOf)
  const own = final.filter((row) => isServed(row, asOf)).length
  const gone = final.length - own
  const isExact = own === served.length
  return [
    isExact
      ? `This returns the ${count(own)} rows of this history, earlier prices included, in exact decimals per one unit.`
      : `This returns ${count(served.length)} rows: the ${count(own)} of this history and others, because a request cannot be narrowed further.`,
    ...(gone > 0 ? [`${count(gone)} more on this page are no longer served: they were withdrawn or removed.`] : []),
    ...(leftOut > 0 ? [`It also returns up to ${count(leftOut)} older rows, which this page leaves out.`] : []),
    ...(served.length + leftOut > MAX_ROWS
      ? [`An answer has at most ${count(MAX_ROWS)} of them: send its nextCursor with limit for the next page.`]
      : []),
  ].join(' ')
}

/** A parameter as it is in an address. */
type Parameter = [name: string, value: string]

/** One request for each resource: its provider, and the names it has and had. */
function byResource(rows: Row[]): Parameter[][] {
  const requests = new Map<string, { provider: string; names: Set<string> }>()
  for (const { provider, listed, resource } of rows) {
    const key = JSON.stringify([provider, listed])
    const request = requests.get(key) ?? { provider, names: new Set() }
    requests.set(key, request)
    request.names.add(resource)
  }
  return [...requests.values()].map(({ provider, names }) => [
    ['providers', encoded(provider)],
    ...[...names].sort().map((name): Parameter => ['resource', encoded(name)]),
  ])
}

/**
 * One request for the group. It names the providers: otherwise those are left out that price in credits or not in USD.
 * Former names that the group does not list are requested beside it.
 */
function byGroup(rows: Row[], { id, members }: ShownGroup): Parameter[][] {
  const names = new Set(members.map(nameOf))
  const own = rows.filter((row) => names.has(nameOf(row)))
  const providers = [...new Set(own.map(({ provider }) => provider))].sort()
  const request: Parameter[] = [
    ['alias', encoded(id)],
    ['providers', providers.map(encoded).join(',')],
  ]
  return [...(providers.length > 0 ? [request] : []), ...byResource(rows.filter((row) => !names.has(nameOf(row))))]
}

const nameOf = ({ provider, resource }: Pick<Row, 'provider' | 'resource'>) => JSON.stringify([provider, resource])

const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')

const urlOf = (origin: string, asOf: string, parameters: Parameter[]): string =>
  `${origin}/v1/prices/history?${[['asOf', asOf], ...parameters, ['limit', MAX_ROWS]].map((pair) => pair.join('=')).join('&')}`
