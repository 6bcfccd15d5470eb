import type { Unit } from '../normalize/units-rules.ts'
import type { Hunk } from './align-rules.ts'
import { MAX_PLACE_UNITS, MAX_PLACE_WORDS } from './schema.ts'

/** A range of the text in force. */
type Range = { from: number; to: number }
/** A difference, and whether units moved within it: it begins and ends with units that the other text has elsewhere. */
export type Region = Hunk & { moved?: boolean }

const whole = (hunks: Hunk[]): Hunk => ({
  from: hunks[0]!.from,
  to: hunks.at(-1)!.to,
  otherFrom: hunks[0]!.otherFrom,
  otherTo: hunks.at(-1)!.otherTo,
})

/**
 * The differences, with those in one that belong together: all that touch the same place, and those between which units
 * only moved, so that a list in another order is one difference and not one for each of its entries.
 */
export function regionsOf(hunks: Hunk[], places: Range[], current: Unit[], fetched: Unit[]): Region[] {
  const moves = movesBetween(hunks, current, fetched)
  const regions: Region[] = []
  for (let i = 0; i < hunks.length; ) {
    let [end, moved] = [i, false]
    for (let k = i; k <= end; k++) {
      const last = moves.get(k)
      if (last !== undefined && isSmall(whole(hunks.slice(i, last + 1)), current, fetched)) {
        end = Math.max(end, last)
        moved = true
      }
    }
    while (end + 1 < hunks.length && places.some((place) => joins(place, hunks[end]!, hunks[end + 1]!))) end++
    regions.push({ ...whole(hunks.slice(i, end + 1)), moved })
    i = end + 1
  }
  return regions
}

const joins = ({ from, to }: Range, one: Hunk, next: Hunk) => from <= one.to && next.from <= to

/** For each difference the last one that has a unit of it on the other side. */
function movesBetween(hunks: Hunk[], current: Unit[], fetched: Unit[]): Map<number, number> {
  const [removed, added] = [new Map<string, number>(), new Map<string, number>()]
  for (const [i, { from, to, otherFrom, otherTo }] of hunks.entries()) {
    for (let k = from; k < to; k++) removed.set(current[k]!.key, i)
    for (let k = otherFrom; k < otherTo; k++) added.set(fetched[k]!.key, i)
  }
  const moves = new Map<number, number>()
  for (const [key, i] of removed) {
    const j = added.get(key)
    if (j === undefined || i === j) continue
    const [first, last] = [Math.min(i, j), Math.max(i, j)]
    moves.set(first, Math.max(last, moves.get(first) ?? 0))
  }
  return moves
}

const wordsIn = (units: Unit[], from: number, to: number): number => {
  let words = 0
  for (let i = from; i < to; i++) words += units[i]!.words
  return words
}

function isSmall({ from, to, otherFrom, otherTo }: Hunk, current: Unit[], fetched: Unit[]): boolean {
  if (Math.max(to - from, otherTo - otherFrom) > MAX_PLACE_UNITS) return false
  return Math.max(wordsIn(current, from, to), wordsIn(fetched, otherFrom, otherTo)) <= MAX_PLACE_WORDS
}
