import { type Money, REVISABLE } from './row-rules.ts'

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
