import { type Money, REVISABLE } from '../schema.ts'

/** The fields whose absence has a meaning. */
const CONDITIONS = new Set(['billingCondition'])

/**
 * Returns the fields that were revised while the price stayed the same. A field that becomes known or unknown is a change
 * in how the source writes, not in the offer. A billing condition is the exception: it is new when it appears.
 */
export function revisedFields(before: Money, after: Money): (typeof REVISABLE)[number][] {
  return REVISABLE.filter((field) => {
    if (before[field] === after[field]) return false
    return CONDITIONS.has(field) || (before[field] !== undefined && after[field] !== undefined)
  })
}

/** Two prices that differ by less, one of which is the other rounded, are one price. */
const ROUNDING_SHARE = 0.01

/** Returns whether one price is the other with fewer digits. */
export function isRounding(before: string, after: string): boolean {
  const [coarse, fine] = decimals(before) < decimals(after) ? [before, after] : [after, before]
  if (decimals(coarse) === decimals(fine)) return false
  const off = Math.abs(Number(fine) - Number(coarse))
  const half = 0.5 * 10 ** -decimals(coarse)
  return off <= half * (1 + Number.EPSILON * 8) && off <= ROUNDING_SHARE * Number(fine)
}

const decimals = (price: string): number => price.split('.')[1]?.length ?? 0
