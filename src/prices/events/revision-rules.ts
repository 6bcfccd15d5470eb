import { type Money, REVISABLE } from '../schema.ts'

/** The money fields that say more than whether they are known. */
const CONDITIONS = new Set(['billingCondition'])

/**
 * The fields in which a price that kept its value was revised. Learning a fact that was unknown, or no longer being
 * told it, is how a source writes, not something its provider did; only a billing condition is new when it appears.
 */
export function revisedFields(before: Money, after: Money): (typeof REVISABLE)[number][] {
  return REVISABLE.filter((field) => {
    if (before[field] === after[field]) return false
    return CONDITIONS.has(field) || (before[field] !== undefined && after[field] !== undefined)
  })
}

/** Prices this near, one of which is the other rounded, are one price written with more digits or fewer. */
const ROUNDING_SHARE = 0.01

/** Whether one price is the other with fewer digits: a list that became more exact, or less, and not a new price. */
export function isRounding(before: string, after: string): boolean {
  const [coarse, fine] = decimals(before) < decimals(after) ? [before, after] : [after, before]
  if (decimals(coarse) === decimals(fine)) return false
  const off = Math.abs(Number(fine) - Number(coarse))
  const half = 0.5 * 10 ** -decimals(coarse)
  return off <= half * (1 + Number.EPSILON * 8) && off <= ROUNDING_SHARE * Number(fine)
}

const decimals = (price: string): number => price.split('.')[1]?.length ?? 0
