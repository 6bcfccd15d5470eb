/** What to read of the price history. Everything may be left out. */
export type HistoryQuery = {
  /** Provider slugs. A credit-priced provider is served only when it is named. */
  providers?: readonly string[]
  /** RFC 3339 or a Date, at least 15 minutes in the past. Left out: the newest instant allowed. */
  asOf?: string | Date
  /** Id or name of one alias group: only its members are served. */
  alias?: string
  /** Exact names of resources. */
  resource?: readonly string[]
  /** Canonical ids that rows were recorded with. */
  canonicalResource?: readonly string[]
  dimension?: readonly string[]
  /** Of each price line only the row that is its price at `asOf`. */
  current?: boolean
  /** Only prices that their provider itself confirmed, or on which two sources of different origin agreed. */
  confirmed?: 'provider' | 'independent'
  /** What rows say beside the price: who confirmed it. */
  include?: readonly 'confirmation'[]
  /** Only what differs from this earlier instant: new and changed rows, and in `unpublished` those that are gone. */
  since?: string | Date
  /** Rows on a page: 1 to 10,000. */
  limit?: number
}

/** Rows on a page of a walk, unless the query says otherwise. */
export const WALK_LIMIT = 10_000

/** Returns the address of a walk's first page. */
export function firstPagePath(query: HistoryQuery): string {
  const { providers, asOf, alias, resource, canonicalResource, dimension, current, confirmed, include, since, limit } =
    query
  const parameters = {
    providers: providers?.join(','),
    asOf: instantText(asOf),
    alias,
    // Names may hold commas, so each is a parameter of its own.
    resource,
    canonicalResource,
    dimension,
    current: current?.toString(),
    confirmed,
    include: include?.join(','),
    since: instantText(since),
    limit: limit?.toString(),
  }
  return historyPath(parameters)
}

const instantText = (instant?: string | Date): string | undefined =>
  instant instanceof Date ? instant.toISOString() : instant

/** Returns the address of a further page: a cursor pins all but `limit`. */
export const nextPagePath = (cursor: string, limit?: number): string =>
  historyPath({ cursor, limit: limit?.toString() })

function historyPath(parameters: Record<string, string | readonly string[] | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  const query = new URLSearchParams(given).toString()
  return `/v1/prices/history${query && `?${query}`}`
}
