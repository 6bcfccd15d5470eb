import { type GroupedRow, groupRows, lowest, newestOf, weakestMark } from './group-rows.ts'
import type { Price } from './row.ts'
import type { ModelRow } from './unpack.ts'

/** A model with its sellers; of one seller, the row itself. */
export type GroupRow = GroupedRow<ModelRow>

/** Returns a row for each model. Its prices are those of the cheapest seller of each. */
export const groupModels = (rows: ModelRow[]): GroupRow[] => groupRows(rows, ({ model }) => model.id, modelOf)

const LAST = Number.POSITIVE_INFINITY
const PRICES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const

/** Returns the row of a model with these sellers: the first one is that where the workload costs least. */
export function modelOf(unsorted: ModelRow[]): GroupRow {
  const sellers = unsorted.toSorted((a, b) => (a.cost?.value ?? LAST) - (b.cost?.value ?? LAST))
  const [first, ...others] = sellers as [ModelRow, ...ModelRow[]]
  if (others.length === 0) return { ...first, sellers }
  const { input, output, cacheRead, cacheWrite, confirmedBy, ...rest } = first
  const prices = PRICES.flatMap((name): [string, Price][] => {
    const inDollars = sellers.flatMap(({ [name]: price }) => (price?.kind.currency === 'USD' ? [price] : []))
    const price = lowest(inDollars)
    return price ? [[name, price]] : []
  })
  return {
    ...rest,
    key: `model ${first.model.id}`,
    resource: first.model.name,
    sellers,
    context: [],
    since: newestOf(sellers),
    prices: sellers.flatMap(({ prices }) => prices),
    ...weakestMark(sellers),
    ...Object.fromEntries(prices),
  }
}
