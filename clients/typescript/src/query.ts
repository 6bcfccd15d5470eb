/** What to read of the price history. Everything may be left out. */
export type HistoryQuery = {
  /** Provider slugs. A credit-priced provider is served only when it is named. */
  providers?: readonly string[]
  /** RFC 3339 or a Date, at least 15 minutes in the past. Left out: the newest instant allowed. */
  asOf?: string | Date
  /** Id or name of one alias group: only its members are served. */
  alias?: string
  /** Rows on a page: 1 to 10,000. */
  limit?: number
}

/** Rows on a page of a walk, unless the query says otherwise. */
export const WALK_LIMIT = 10_000

/** Returns the address of a walk's first page. */
export function firstPagePath(query: HistoryQuery): string {
  const { providers, asOf, alias, limit } = query
  const parameters = {
    providers: providers?.join(','),
    asOf: asOf instanceof Date ? asOf.toISOString() : asOf,
    alias,
    limit: limit?.toString(),
  }
  return historyPath(parameters)
}

/** Returns the address of a further page: a cursor pins all but `limit`. */
export const nextPagePath = (cursor: string, limit?: number): string =>
  historyPath({ cursor, limit: limit?.toString() })

function historyPath(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `/v1/prices/history${query && `?${query}`}`
}
