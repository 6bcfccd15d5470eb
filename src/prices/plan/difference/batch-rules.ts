import { isUnitFlip } from '../evidence/unit-flip-rules.ts'

/** Above this share of a provider's resources, and this many, a change is one item for a person to review. */
export const MASS_SHARE = 0.2
export const MASS_LEAST = 5

export const isMassChange = (changed: number, listed: number): boolean =>
  changed >= MASS_LEAST && changed > listed * MASS_SHARE

/** A snapshot that lost more than half of its lines is not a complete price list. */
const COLLAPSE_SHARE = 0.5
/** Below this many lines shares mean nothing. */
const COLLAPSE_LEAST = 20
/** This many lines, and this share of those compared, with a flipped unit: the whole snapshot is in another unit. */
const FLIP_LEAST = 10
const FLIP_SHARE = 0.3

export type Quarantine = { reason: 'no_prices' | 'collapsed' | 'unit_flipped' | 'served_again'; message: string }

/** Returns why a whole snapshot is quarantined, before any of its lines is planned. */
export function quarantine(
  lines: number,
  before: number,
  changes: { before: number; after: number }[],
  compared: number,
): Quarantine | undefined {
  if (lines === 0) return { reason: 'no_prices', message: 'The snapshot has no usable price.' }
  if (before >= COLLAPSE_LEAST && lines < before * COLLAPSE_SHARE)
    return { reason: 'collapsed', message: `The snapshot has ${lines} prices; the last good one had ${before}.` }
  const flipped = changes.filter((change) => isUnitFlip(change.before, change.after)).length
  if (flipped >= FLIP_LEAST && flipped > compared * FLIP_SHARE)
    return {
      reason: 'unit_flipped',
      message: `${flipped} of ${compared} prices differ by a power of ten: the unit was changed or misread.`,
    }
  return undefined
}
