import { isWitnessed } from './evidence-rules.ts'
import type { Evidence } from './evidence-schema.ts'
import type { HoldReason } from './schema.ts'

/** A change by more than this is doubtful, unless something speaks for it (15 % of real changes). */
export const LARGE_FACTOR = 3
/** A change by more than this is doubtful even when an independent source publishes the same price (3 %). */
const VERY_LARGE_FACTOR = 10
/** How near a ratio must be to a power of ten to count as a flipped unit. */
const FLIP_TOLERANCE = 0.02

/** Whether two prices differ by a power of ten, as when a unit was misread. Zero differs from no price like that. */
export function isUnitFlip(before: number, after: number): boolean {
  const ratio = after / before
  const power = 10 ** Math.round(Math.log10(ratio))
  return power !== 1 && Math.abs(ratio / power - 1) <= FLIP_TOLERANCE
}

/** Whether a change is so small that nothing more has to be known about it. To zero and from zero is never small. */
const isOrdinary = (before: number, after: number): boolean => Math.max(after / before, before / after) <= LARGE_FACTOR

/** Whether a price is judged by what others charge: a first one, one that is held, and one that changed by much. */
export const needsEvidence = (line: { kind: string; before?: string; after: string; isHeld: boolean }): boolean =>
  line.kind === 'new' || line.isHeld || !isOrdinary(Number(line.before), Number(line.after))

/** Returns why a changed price is doubtful; nothing for an ordinary change, and for one that corrects a wrong price. */
export function checkChange(evidence: Evidence): HoldReason[] {
  const [before, after] = [Number(evidence.before), Number(evidence.after)]
  const { fitBefore, fitAfter, recentFirstPrice } = evidence
  const witnessed = isWitnessed(evidence)
  if (after === 0) return fitAfter === 'fits' ? [] : ['to_zero']
  const returns: HoldReason[] = evidence.returns ? ['flips_back'] : []
  if (isCorrection(evidence)) return []
  const misfit = misfitReasons(evidence)
  // A price that moves less than tenfold is not in another unit, however far others are.
  const outside = evidence.misfit === 'limits' ? misfit : []
  const fitsBetter = fitAfter === 'fits' && fitBefore !== 'fits'
  if (before === 0) return recentFirstPrice ? misfit : ['from_zero', ...misfit]
  const factor = Math.max(after / before, before / after)
  if (isUnitFlip(before, after) && !(evidence.priceOfMost && evidence.isMaker)) {
    if (witnessed || fitsBetter) return returns
    return [evidence.priceOfMost ? 'tenfold_with_others' : 'power_of_ten', ...misfit]
  }
  if (factor > VERY_LARGE_FACTOR) return fitsBetter ? returns : ['very_large_change', ...alone(evidence), ...returns]
  if (factor <= LARGE_FACTOR || witnessed || fitsBetter || recentFirstPrice) return [...outside, ...returns]
  return ['large_change', ...outside, ...returns]
}

/** Returns what speaks against a very large change. One other seller is enough for that, unless a witness agrees. */
function alone(evidence: Evidence): HoldReason[] {
  const misfit = misfitReasons(evidence)
  const isAlone = evidence.farFromSellers && !isWitnessed(evidence)
  return misfit.length === 0 && isAlone ? ['unlike_other_sellers'] : misfit
}

/** Whether the published price cannot be right and the new one can. */
export const isCorrection = ({ fitBefore, fitAfter, after }: Evidence): boolean =>
  fitBefore === 'misfits' && fitAfter !== 'misfits' && Number(after) !== 0

/** Returns why a first price is doubtful. An unusual one that a source of another origin shows too is its seller's. */
export function checkFirstPrice(evidence: Evidence): HoldReason[] {
  const isSellers = isWitnessed(evidence) && evidence.misfit !== 'limits' && Number(evidence.after) !== 0
  return isSellers ? [] : misfitReasons(evidence)
}

function misfitReasons({ misfit, after }: Evidence): HoldReason[] {
  if (!misfit) return []
  if (misfit !== 'sellers') return ['implausible_price']
  return [Number(after) === 0 ? 'free_unlike_other_sellers' : 'unlike_other_sellers']
}
