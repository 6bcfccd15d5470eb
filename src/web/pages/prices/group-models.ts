import { groupBy } from '../../../lib/collections.ts'
import { wordsOf } from './filter.ts'
import type { ModelRow, Price } from './unpack.ts'

/** A model with its sellers; of one seller, the row itself. */
export type GroupRow = ModelRow & {
  /** Its sellers, the cheapest first; absent in the row of a seller. */
  sellers?: ModelRow[]
  isOpen?: boolean
  /** The row of a seller below its model. */
  isInside?: boolean
}

/** What sellers are ordered by. */
type Rank = (row: ModelRow) => number | undefined

/** Returns a row for each model. Its prices are those of the cheapest seller of each. */
export function groupModels(rows: ModelRow[], rank: Rank): GroupRow[] {
  const groups = [...groupBy(rows, ({ model }) => model.id).values()].map((sellers) => groupOf(sellers, rank))
  return groups.sort((a, b) => countOf(b) - countOf(a) || (a.since < b.since ? 1 : a.since > b.since ? -1 : 0))
}

/** How many sellers a model has: one source more is no seller more. */
export const countOf = ({ sellers, provider }: GroupRow): number =>
  new Set(sellers?.map((seller) => seller.provider) ?? [provider]).size

function groupOf(unsorted: ModelRow[], rank: Rank): GroupRow {
  const last = Number.POSITIVE_INFINITY
  const sellers = unsorted.toSorted((a, b) => (rank(a) ?? last) - (rank(b) ?? last))
  const [first, ...others] = sellers as [ModelRow, ...ModelRow[]]
  if (others.length === 0) return { ...first, sellers }
  const cheapest = (of: (row: ModelRow) => Price | undefined) =>
    sellers
      .flatMap((row) => of(row) ?? [])
      .filter(({ kind }) => kind.currency === 'USD')
      .reduce<Price | undefined>((least, price) => (least && least.value <= price.value ? least : price), undefined)
  const { input, output, cacheRead, cacheWrite, ...rest } = first
  return {
    ...rest,
    key: `model ${first.model.id}`,
    resource: first.model.name,
    sellers,
    context: [],
    since: sellers
      .map(({ since }) => since)
      .sort()
      .at(-1)!,
    prices: sellers.flatMap(({ prices }) => prices),
    ...priced(
      'input',
      cheapest((row) => row.input),
    ),
    ...priced(
      'output',
      cheapest((row) => row.output),
    ),
    ...priced(
      'cacheRead',
      cheapest((row) => row.cacheRead),
    ),
    ...priced(
      'cacheWrite',
      cheapest((row) => row.cacheWrite),
    ),
  }
}

const priced = <Name extends string>(name: Name, price: Price | undefined) => price && { [name]: price }

/** Returns the rows to show: below a model that is open, its sellers. */
export const opened = (groups: GroupRow[], open: ReadonlySet<string>): GroupRow[] =>
  groups.flatMap((group): GroupRow[] => {
    if (!group.sellers || group.sellers.length < 2 || !open.has(group.key)) return [group]
    return [{ ...group, isOpen: true }, ...group.sellers.map((seller) => ({ ...seller, isInside: true }))]
  })

/** Returns the models whose sellers have every word that was typed, with those sellers alone. Their order stays. */
export function narrowed(groups: GroupRow[], q: string, rank: Rank): GroupRow[] {
  const words = wordsOf(q)
  if (words.length === 0) return groups
  return groups.flatMap((group): GroupRow[] => {
    const sellers = group.sellers!
    const kept = sellers.filter(({ text }) => words.every((word) => text.includes(word)))
    if (kept.length === sellers.length) return [group]
    return kept.length > 0 ? [groupOf(kept, rank)] : []
  })
}
