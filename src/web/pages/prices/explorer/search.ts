import { parseInstant } from '../../../../lib/instant.ts'
import type { ConfirmedBy } from '../../../api/prices.ts'
import { text } from '../../../search.ts'
import { readWorkloadSearch, type WorkloadSearch } from '../cost/workload.ts'

/** Reads a list of texts of the address; an empty one is absent. */
export const texts = (value: unknown): string[] | undefined => {
  const found = (Array.isArray(value) ? value : [value]).flatMap((item) => text(item) ?? [])
  return found.length > 0 ? found : undefined
}

const oneOf = <const T extends string>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((item) => item === value)

/** How many tokens people ask a model to take. */
export const CONTEXTS = ['32000', '128000', '200000', '1000000'] as const

export type AsOf = { asOf?: string }
/** An instant that was typed to the minute. */
const MINUTE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})Z$/

/** Reads the instant that a page shows, in UTC and as the routes take it; absent is now. */
export function readAsOf(search: Record<string, unknown>): AsOf {
  const asOf = text(search.asOf)?.replace(MINUTE, '$1:00Z')
  return { asOf: asOf?.endsWith('Z') && parseInstant(asOf) ? asOf : undefined }
}

/** Everything that the explorer shows is in its address. */
export type PricesSearch = AsOf &
  WorkloadSearch & {
    /** Absent: a row for each model. */
    tab?: 'sellers' | 'machines'
    q?: string
    providers?: string[]
    abilities?: string[]
    /** The least number of tokens that a model takes. */
    context?: string
    /** Only prices that were confirmed so. */
    confirmed?: ConfirmedBy
    /** A column; with a minus before it the largest first. */
    sort?: string
    columns?: string[]
    /** What is chosen to be compared. */
    chosen?: string[]
  }

export const readPricesSearch = (search: Record<string, unknown>): PricesSearch => ({
  ...readAsOf(search),
  ...readWorkloadSearch(search),
  tab: oneOf(search.tab, ['sellers', 'machines']),
  q: text(search.q),
  providers: texts(search.providers),
  abilities: texts(search.abilities),
  context: oneOf(String(search.context), CONTEXTS),
  confirmed: oneOf(search.confirmed, ['provider', 'independent']),
  sort: text(search.sort),
  columns: texts(search.columns),
  chosen: texts(search.chosen),
})

export type ResourceSearch = AsOf & WorkloadSearch & { dimension?: string }
export const readResourceSearch = (search: Record<string, unknown>): ResourceSearch => ({
  ...readAsOf(search),
  ...readWorkloadSearch(search),
  dimension: text(search.dimension),
})

/** What a row of the explorer is named by. */
const MAX_PARTS = 7

/** `of` are rows, each by its first parts: provider and resource at least. `lines` are those that the chart draws. */
export type CompareSearch = ResourceSearch & { of?: string[][]; lines?: string[] }
/** Reads what is compared beside an alias group. */
export const readCompareSearch = (search: Record<string, unknown>): CompareSearch => ({
  ...readResourceSearch(search),
  lines: texts(search.lines),
  of: Array.isArray(search.of)
    ? search.of.flatMap((pair) =>
        Array.isArray(pair) && pair.length >= 2 && pair.length <= MAX_PARTS ? [pair.map(String)] : [],
      )
    : undefined,
})
