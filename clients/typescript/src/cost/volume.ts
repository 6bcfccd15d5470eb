import type { PriceRow } from '../types.ts'
import { compare, least, minus, sum } from './decimal.ts'

/** A price for a part of what a month uses: from an amount up to another; without one, for all above. */
export type Step = { row: PriceRow; from: string; to?: string }
/** What lies in one step. */
type Share = { row: PriceRow; quantity: string }

const AMOUNT = String.raw`(\d+(?:\.\d+)?)`
const RANGE = new RegExp(`^${AMOUNT}-${AMOUNT}$`)
const ABOVE = new RegExp(`^>=${AMOUNT}$`)

/** Returns the range of a `volume` tier, such as `0-51200` or `>=51200`; undefined for other words. */
function rangeOf(volume: string): Omit<Step, 'row'> | undefined {
  const [, from, to] = RANGE.exec(volume) ?? ABOVE.exec(volume) ?? []
  return from === undefined ? undefined : { from, ...(to !== undefined && { to }) }
}

export const isRange = (volume: string): boolean => rangeOf(volume) !== undefined

/** Returns the steps of rows that differ in `volume` alone, in order. A row without one prices what is before the others. */
export function stepsOf(rows: PriceRow[]): Step[] {
  const steps = rows.map((row): Step => ({ row, from: '0', ...rangeOf(row.pricingTier.volume ?? '') }))
  const isNamed = ({ row }: Step) => Number(row.pricingTier.volume !== undefined)
  const inOrder = steps.sort((a, b) => compare(a.from, b.from) || isNamed(a) - isNamed(b))
  return inOrder.map((step, n) => ({ ...step, ...endOf(step, inOrder[n + 1]?.from) }))
}

function endOf({ to }: Step, next: string | undefined): { to?: string } {
  if (to === undefined || next === undefined) return next === undefined ? {} : { to: next }
  return { to: least(to, next) }
}

/**
 * Returns how much of an amount lies in each step, and how much in none. Only what lies in a step has its price: the amount
 * begins where the month's use so far ends.
 */
export function sharesOf(steps: Step[], amount: string, before: string): { shares: Share[]; rest: string } {
  const after = sum([before, amount])
  const shares = steps.flatMap(({ row, from, to }) => {
    const begin = compare(from, before) > 0 ? from : before
    const end = to === undefined ? after : least(to, after)
    return compare(end, begin) > 0 ? [{ row, quantity: minus(end, begin) }] : []
  })
  return { shares, rest: minus(amount, sum(shares.map(({ quantity }) => quantity))) }
}
