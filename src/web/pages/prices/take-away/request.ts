import { MAX_NAME_BYTES, MAX_NAMES, MAX_PROVIDERS, MAX_ROWS } from '../../../limits.ts'

/** Returns the instant that programs can read what a page shows at: the newest final one, where the page is ahead of it. */
export const finalInstant = ({ asOf, newest }: { asOf: string; newest: string }): string =>
  asOf > newest ? newest : asOf

/** Says what a request does not return yet. Empty where everything on the page is final. */
export const notYetText = (finalFrom: string | undefined): string =>
  finalFrom === undefined
    ? ''
    : ` Changes of the last 15 minutes are not in it: they are final from ${finalFrom.slice(11, 16)} UTC on.`

/** One price row, as far as a request of the price history can choose it. */
export type Line = { provider: string; resource: string; dimension: string }
export type HistoryRequest = { url: string; isExact: boolean; rows: number; pages: number }

type View = { asOf: string; current: boolean; origin: string; named?: string[]; confirmed?: string }

const distinct = (values: string[]) => [...new Set(values)].sort()
const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')

/**
 * Returns the request of the price history that answers with the rows that are shown: exactly those, or where a request
 * cannot say so, as few others as possible.
 * @param shown what the page shows
 * @param all everything that was served at the instant
 */
export function requestFor(
  shown: Line[],
  all: Line[],
  { asOf, current, origin, named, confirmed }: View,
): HistoryRequest {
  const parts: [string, string[]][] = []
  let rest = all
  const narrow = (name: string, of: (line: Line) => string, most: number, separator: 'comma' | 'repeat') => {
    const values = distinct(shown.map(of))
    const wanted = new Set(values)
    const kept = rest.filter((line) => wanted.has(of(line)))
    const bytes = new TextEncoder().encode(values.join(',')).length
    const isNeeded = kept.length < rest.length
    if (!isNeeded || values.length > most || bytes > MAX_NAME_BYTES) return
    rest = kept
    parts.push([name, separator === 'comma' ? [values.map(encoded).join(',')] : values.map(encoded)])
  }
  if (named) parts.push(['providers', [distinct(named).map(encoded).join(',')]])
  else narrow('providers', ({ provider }) => provider, MAX_PROVIDERS, 'comma')
  narrow('resource', ({ resource }) => resource, MAX_NAMES, 'repeat')
  narrow('dimension', ({ dimension }) => dimension, MAX_NAMES, 'comma')
  const query = [
    `asOf=${asOf}`,
    ...(current ? ['current=true'] : []),
    ...(confirmed ? [`confirmed=${confirmed}`] : []),
    ...parts.flatMap(([name, values]) => values.map((value) => `${name}=${value}`)),
    `limit=${MAX_ROWS}`,
  ]
  const pages = Math.ceil(rest.length / MAX_ROWS)
  return {
    url: `${origin}/v1/prices/history?${query.join('&')}`,
    isExact: rest.length === shown.length,
    rows: rest.length,
    pages,
  }
}

/** Returns the command that sends a request with an API key from the environment. */
export const curlOf = (url: string, headers: string[] = []): string =>
  [`curl '${url}'`, `-H "Authorization: Bearer $PRICETAPE_API_KEY"`, ...headers.map((header) => `-H '${header}'`)].join(
    ' \\\n  ',
  )
