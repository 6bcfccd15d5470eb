import type { HoldReason } from './schema.ts'

/** A change by more than this is held unless an independent source publishes the same price (15 % of real changes). */
export const LARGE_FACTOR = 3
/** A change by more than this is held even then (3 % of real changes). */
const VERY_LARGE_FACTOR = 10
/** How near a ratio must be to a power of ten to count as a flipped unit. */
const FLIP_TOLERANCE = 0.02

/** Whether two prices differ by a power of ten, as when a unit was misread. */
export function isUnitFlip(before: number, after: number): boolean {
  if (before <= 0 || after <= 0) return false
  const ratio = after / before
  const power = 10 ** Math.round(Math.log10(ratio))
  return power !== 1 && Math.abs(ratio / power - 1) <= FLIP_TOLERANCE
}

export type ChangeFacts = {
  before: number
  after: number
  /** Other sources of independent origin that publish exactly the new price. */
  corroborated: boolean
  /** The line had exactly the new price within the last seven days. */
  returns: boolean
}

/** Returns why a changed price is held; nothing for an ordinary change. */
export function checkChange({ before, after, corroborated, returns }: ChangeFacts): HoldReason[] {
  if (after === 0) return ['to_zero']
  if (before === 0) return ['from_zero']
  const reasons: HoldReason[] = []
  const factor = Math.max(after / before, before / after)
  if (isUnitFlip(before, after)) reasons.push('power_of_ten')
  else if (factor > VERY_LARGE_FACTOR) reasons.push('very_large_change')
  else if (factor > LARGE_FACTOR && !corroborated) reasons.push('large_change')
  if (returns) reasons.push('flips_back')
  return reasons
}
