import type { Unit } from '../normalize/units-rules.ts'
import { pairUnits } from './align-rules.ts'
import type { Region } from './moves-rules.ts'
import { excerptOf, neighboursOf, shortKey } from './place-rules.ts'
import { MAX_PLACE_UNITS, type Place } from './schema.ts'

/** A place with its range in the text in force and the units that the fetched text has there. */
export type Found = {
  place: Place
  from: number
  to: number
  units: Unit[]
  /** It is part of another place now. */
  isAbsorbed?: boolean
}

/** A range of the text in force, and its units in both texts. */
type Range = { from: number; to: number; before: Unit[]; after: Unit[] }

/** Gives the units of a difference to the places it touches. Returns the new places to watch. */
export function share(region: Region, touched: Found[], current: Unit[], fetched: Unit[]): Found[] {
  const from = Math.min(region.from, ...touched.map((place) => place.from))
  const to = Math.max(region.to, ...touched.map((place) => place.to))
  // Outside the difference the units are the same, so that the range grows alike on both sides.
  const otherFrom = region.otherFrom - (region.from - from)
  const otherTo = region.otherTo + (to - region.to)
  const range = { from, to, before: current.slice(from, to), after: fetched.slice(otherFrom, otherTo) }
  return (region.moved && shareMoved(range, touched, current)) || sharePaired(range, touched, current)
}

/**
 * Makes one place of a range whose units only moved, because each of them alone would seem to come and go. Returns
 * undefined when it is too large, or has more than a place that is volatile already: the rest may be part of the document.
 */
function shareMoved({ from, to, after }: Range, touched: Found[], current: Unit[]): Found[] | undefined {
  const isWhole = (place: Found) => place.from === from && place.to === to
  if (to - from > MAX_PLACE_UNITS) return undefined
  if (touched.some((place) => place.place.volatileSince && !isWhole(place))) return undefined
  const [largest, ...others] = touched.toSorted((a, b) => b.to - b.from - (a.to - a.from))
  if (!largest) return [watched(current, from, to, after)]
  Object.assign(largest, { from, to, units: after })
  for (const place of others) place.isAbsorbed = true
  return []
}

/**
 * Gives each place the units that are wordings of its own, and makes a place to watch of every other change:
 * of each reworded unit, and of each run that came or went between two units that stayed.
 */
function sharePaired(range: Range, touched: Found[], current: Unit[]): Found[] {
  const { from, before, after } = range
  if (Math.max(before.length, after.length) > 2 * MAX_PLACE_UNITS) return []
  const placeAt = (i: number) => touched.find((place) => place.from <= from + i && from + i < place.to)
  const added: Found[] = []
  let [i, j] = [0, 0]
  const pairs = pairUnits(before, after)
  for (let end = 0; end <= before.length; end++) {
    const pair = end < before.length ? pairs[end] : after.length
    if (pair === undefined) continue
    fillGap(i, end, after.slice(j, pair))
    if (end === before.length) break
    const place = placeAt(end)
    if (place) place.units.push(after[pair]!)
    else if (before[end]!.key !== after[pair]!.key) added.push(watch(end, end + 1, [after[pair]!]))
    ;[i, j] = [end + 1, pair + 1]
  }
  return added

  /** Units of the text in force that went, and what is there now. */
  function fillGap(start: number, end: number, units: Unit[]): void {
    const inGap = touched.filter((place) => place.from <= from + end && place.to >= from + start)
    const owner =
      inGap.find((place) => place.place.volatileSince && overlaps(place, start, end)) ??
      inGap.find((place) => overlaps(place, start, end)) ??
      inGap.find((place) => place.place.volatileSince)
    if (owner) owner.units.push(...units)
    const isOwned = Array.from({ length: end - start }, (_, k) => placeAt(start + k) !== undefined)
    const [first, last] = [isOwned.indexOf(false), isOwned.lastIndexOf(false)]
    if (first >= 0) added.push(watch(start + first, start + last + 1, owner ? [] : units))
    else if (!owner && units.length > 0) added.push(watch(start, end, units))
  }

  function overlaps(place: Found, start: number, end: number): boolean {
    const isEmpty = place.from === place.to
    return isEmpty
      ? from + start <= place.from && place.from <= from + end
      : place.from < from + end && from + start < place.to
  }

  function watch(start: number, end: number, units: Unit[]): Found {
    return watched(current, from + start, from + end, units)
  }
}

/** A new place, whose text in force was there before. */
function watched(current: Unit[], from: number, to: number, units: Unit[]): Found {
  const inForce = current.slice(from, to)
  const around = neighboursOf(current, from, to)
  const text = { keys: inForce.map(shortKey), excerpt: excerptOf(inForce), since: '', fetches: 2 }
  const place: Place = {
    inForce: inForce.map(({ id }) => id),
    around,
    aroundLatest: around,
    texts: [text],
    transient: 0,
  }
  return { place, from, to, units }
}
