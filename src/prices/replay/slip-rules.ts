import type { Instant } from '../../lib/instant.ts'
import { partsOf, type RawChange } from './raw-change-rules.ts'

/**
 * Returns the sets of which the list was wrong, each with the instant of its correction. The same slip under another name
 * of the provider, in the same snapshot, is wrong too.
 */
export function wrongSets(changes: RawChange[]): Map<string, Instant> {
  const slips = new Map(changes.filter(isWrong).map((change) => [slipOf(change), change.until!]))
  return new Map(
    changes.flatMap((change) => (slips.has(slipOf(change)) ? [[change.set, slips.get(slipOf(change))!]] : [])),
  )
}

/** Identifies a change of one price to another at a provider, in one snapshot, under whatever name. */
export function slipOf({ key, at, before, after }: RawChange): string {
  const [provider, , ...rest] = partsOf(key)
  return JSON.stringify([provider, ...rest, at, before, after])
}

/** A price that is this many times more or less than all other sellers charge is apart. */
const APART_FACTOR = 5
/** Prices that differ by no more are alike. */
const ALIKE_FACTOR = 2
/** Quotients of decimals are this exact at least. */
const EXACT = 1e-9

/** Whether all other sellers charge another price by far, or one of them nearly this one. */
export function placeAmong(sellers: number[], price: number): 'apart' | 'alike' | undefined {
  const factors = sellers.filter((other) => other > 0).map((other) => Math.max(price / other, other / price))
  if (factors.some((by) => by <= ALIKE_FACTOR + EXACT)) return 'alike'
  return factors.length > 0 && factors.every((by) => by >= APART_FACTOR - EXACT) ? 'apart' : undefined
}

/** Whether the price before was far from that of all other sellers, and the new one is like theirs. */
export const isTowardsOthers = ({ before, after, sellers }: RawChange): boolean =>
  placeAmong(sellers, Number(before)) === 'apart' && placeAmong(sellers, Number(after)) === 'alike'

/** Whether a list moved a price, and then back at least by APART_FACTOR. */
export function isTakenBack({ before, after, next }: RawChange): boolean {
  if ([before, after, next ?? '0'].some((price) => Number(price) === 0)) return false
  const back = Number(next) / Number(after)
  return Number(after) > Number(before) ? back <= 1 / APART_FACTOR + EXACT : back >= APART_FACTOR - EXACT
}

/** A price that moves so far and is then taken back was a slip. */
const SLIP_FACTOR = 10

/**
 * Whether a list was wrong, by what it said itself: the price was far from that of all other sellers of the model in the
 * same snapshot, and the list replaced it with one that is like theirs. Or it moved far and was taken back, and not towards
 * what others charge.
 */
function isWrong(change: RawChange): boolean {
  const { before, after, next, sellers } = change
  const moved = Math.max(Number(after) / Number(before), Number(before) / Number(after))
  if (moved > SLIP_FACTOR && isTakenBack(change) && !isTowardsOthers(change)) return true
  return (
    next !== undefined &&
    placeAmong(sellers, Number(after)) === 'apart' &&
    placeAmong(sellers, Number(next)) === 'alike'
  )
}
