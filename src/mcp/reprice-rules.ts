import { costs, type Usage } from '../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { compareDecimals, plus } from '../lib/decimal.ts'

/** What a seller would have charged for all usages of a model. */
export type SellerTotal = {
  provider: string
  resource: string
  total: Record<string, string>
  /** What has no price there, so that the total is not complete. */
  unpriced: string[]
  /** Why part of the total is in credits. */
  unconverted: string[]
}

/** Returns what the usages of one model cost together at each seller, the cheapest complete total in USD first. */
export function sellerTotals(rows: PriceRow[], usages: Usage[]): SellerTotal[] {
  const totals = new Map<string, SellerTotal>()
  for (const usage of usages)
    for (const { provider, resource, total, parts, unpriced } of costs(rows, usage)) {
      const key = JSON.stringify([provider, resource])
      const known = totals.get(key) ?? { provider, resource, total: {}, unpriced: [], unconverted: [] }
      totals.set(key, {
        ...known,
        total: added(known.total, total),
        unpriced: [...new Set([...known.unpriced, ...unpriced.map(({ dimension }) => dimension)])],
        unconverted: [...new Set([...known.unconverted, ...parts.flatMap(({ unconverted }) => unconverted ?? [])])],
      })
    }
  return [...totals.values()].sort((a, b) => byTotal(a, b) || a.provider.localeCompare(b.provider))
}

/** Returns two totals by currency as one. */
export function added(a: Record<string, string>, b: Record<string, string>): Record<string, string> {
  const currencies = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(currencies.map((currency) => [currency, plus(a[currency] ?? '0', b[currency] ?? '0')]))
}

/** The total of a seller that can be compared; absent where something has no price or another currency. */
export const comparable = ({ total, unpriced }: SellerTotal): string | undefined =>
  unpriced.length === 0 && Object.keys(total).join() === 'USD' ? total.USD : undefined

function byTotal(a: SellerTotal, b: SellerTotal): number {
  const [left, right] = [comparable(a), comparable(b)]
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
  return compareDecimals(left, right)
}
