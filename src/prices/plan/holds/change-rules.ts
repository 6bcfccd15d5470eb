import type { Evidence, Misfit } from '../evidence/evidence-schema.ts'
import { isUnitFlip } from '../evidence/unit-flip-rules.ts'
import { isWitnessed } from '../evidence/witness-rules.ts'

/** A change by more than this is doubtful, unless something speaks for it (15 % of real changes). */
export const LARGE_FACTOR = 3
/** A change by more than this is doubtful even when an independent source publishes the same price (3 %). */
const VERY_LARGE_FACTOR = 10

/** How a price differs from the published one. `correction`: that one cannot be right, and the new one can. */
type Step = 'first' | 'to_zero' | 'correction' | 'from_zero' | 'tenfold' | 'very_large' | 'large' | 'small'

export type Change = {
  step: Step
  /** What is known besides speaks for the new price, as much as such a step needs. */
  isExplained: boolean
  /** What the new price contradicts, where that counts for such a step. */
  misfit?: Misfit
  /** Whether it counts that the price goes back to a recent one. */
  mayReturn: boolean
}

/** Returns how a price changes and what speaks for it. A first price has no `before`. */
export function changeOf(kind: 'new' | 'changed', evidence: Evidence): Change {
  const step = kind === 'new' ? 'first' : stepOf(evidence)
  const isExplained = EXPLAINED[step](evidence)
  const misfit = countedMisfit(step, isExplained, evidence)
  return { step, isExplained, ...(misfit && { misfit }), mayReturn: mayReturn(step, isExplained) }
}

function stepOf(evidence: Evidence): Step {
  const [before, after] = [Number(evidence.before), Number(evidence.after)]
  if (after === 0) return 'to_zero'
  if (isCorrection(evidence)) return 'correction'
  if (before === 0) return 'from_zero'
  if (isUnitFlip(before, after) && !(evidence.priceOfMost && evidence.isMaker)) return 'tenfold'
  const factor = Math.max(after / before, before / after)
  if (factor > VERY_LARGE_FACTOR) return 'very_large'
  return factor > LARGE_FACTOR ? 'large' : 'small'
}

/** Whether the published price cannot be right and the new one can. */
export const isCorrection = ({ fitBefore, fitAfter, after }: Evidence): boolean =>
  fitBefore === 'misfits' && fitAfter !== 'misfits' && Number(after) !== 0

const fitsBetter = ({ fitBefore, fitAfter }: Evidence) => fitAfter === 'fits' && fitBefore !== 'fits'

const EXPLAINED: Record<Step, (evidence: Evidence) => boolean> = {
  // An unusual first price that a source of another origin shows too is its seller's.
  first: (one) => isWitnessed(one) && one.misfit !== 'limits' && Number(one.after) !== 0,
  to_zero: ({ fitAfter }) => fitAfter === 'fits',
  correction: () => true,
  from_zero: ({ recentFirstPrice }) => recentFirstPrice === true,
  tenfold: (one) => isWitnessed(one) || fitsBetter(one),
  very_large: fitsBetter,
  large: (one) => isWitnessed(one) || fitsBetter(one) || one.recentFirstPrice === true,
  small: () => true,
}

function countedMisfit(step: Step, isExplained: boolean, { misfit }: Evidence): Misfit | undefined {
  if (step === 'to_zero' || step === 'correction') return undefined
  if (step === 'from_zero') return misfit
  // A price that moves less than tenfold is not in another unit, however far others are.
  if (step === 'large' || step === 'small') return misfit === 'limits' ? misfit : undefined
  return isExplained ? undefined : misfit
}

function mayReturn(step: Step, isExplained: boolean): boolean {
  if (step === 'tenfold') return isExplained
  return step === 'very_large' || step === 'large' || step === 'small'
}

/** Whether a change is so small that nothing more has to be known about it. To zero and from zero is never small. */
const isOrdinary = (before: number, after: number): boolean => Math.max(after / before, before / after) <= LARGE_FACTOR

/** Whether a price is judged by what others charge: a first one, one that is held, and one that changed by much. */
export const needsEvidence = (line: { kind: string; before?: string; after: string; isHeld: boolean }): boolean =>
  line.kind === 'new' || line.isHeld || !isOrdinary(Number(line.before), Number(line.after))
