import type { Comparer } from '../compare/changes-rules.ts'
import { type Unit, wordsId } from '../normalize/units-rules.ts'
import { type Hunk, hunksOf, pairUnits } from './align-rules.ts'
import { afterFetch, type FetchTime, lastingUnits, locate, neighboursOf, shortKey } from './place-rules.ts'
import {
  EXCERPT_CHARACTERS,
  MAX_LEFT_OUT_SHARE,
  MAX_PLACE_UNITS,
  MAX_PLACE_WORDS,
  MAX_PLACES,
  type Place,
  type Volatility,
} from './schema.ts'
import { varyingWords } from './varying-words-rules.ts'

/** What a fetch taught: the places that change, and what is left out of the text in force and of the fetched one. */
type Learned = { volatility: Volatility; currentLeftOut: string[]; leftOut: string[] }

/** A place with its range in the text in force and the units that the fetched text has there. */
type Found = { place: Place; from: number; to: number; units: Unit[]; isNew?: boolean }

const count = (units: Unit[]) => units.reduce((sum, { words }) => sum + words, 0)

/**
 * Learns which places of a document change at nearly every fetch, from a fetched text beside the text in force. A place
 * is volatile after a few texts in a row that went before they were confirmed, and is compared again when it is stable.
 */
export function learn(
  known: Volatility,
  current: Unit[],
  fetched: Unit[],
  time: FetchTime,
  compare: Comparer,
): Learned {
  const parts = compare(
    current.map(({ key }) => key),
    fetched.map(({ key }) => key),
  )
  if (!parts) return { volatility: known, currentLeftOut: [], leftOut: [] }
  const hunks = hunksOf(parts)
  const places = placesIn(known, current)
  if (hunks.length === 0 && places.length === 0) return { volatility: { places: [] }, currentLeftOut: [], leftOut: [] }
  const found = [...places]
  const taken = new Set<Found>()
  for (const hunk of hunks) {
    const touched = places.filter((place) => !taken.has(place) && place.from <= hunk.to && place.to >= hunk.from)
    const shared = share(hunk, touched, current, fetched)
    for (const place of touched) taken.add(place)
    found.push(...shared)
  }
  const twins = twinsOf(parts, fetched)
  for (const place of places) if (!taken.has(place)) place.units = twins.slice(place.from, place.to)
  return taught(found, current, fetched, time, compare)
}

/** The known places, in the order of the text in force; one that cannot be found, or is in another, is forgotten. */
function placesIn({ places }: Volatility, current: Unit[]): Found[] {
  const found: Found[] = []
  for (const place of places) {
    const range = locate(place, current)
    if (range) found.push({ place, from: range[0], to: range[1], units: [] })
  }
  found.sort((a, b) => a.from - b.from || a.to - b.to)
  return found.filter((place, i) => {
    const before = found[i - 1]
    return !before || place.from > before.to || (place.from === before.to && place.to > place.from)
  })
}

/** For each unit of the text in force, the equal unit of the fetched text, where it is outside all differences. */
function twinsOf(parts: { value: unknown[]; added?: boolean; removed?: boolean }[], fetched: Unit[]): Unit[] {
  const twins: Unit[] = []
  let at = 0
  for (const { value, added, removed } of parts) {
    for (let i = 0; i < value.length; i++) {
      if (!added) twins.push(removed ? NO_UNIT : fetched[at]!)
      if (!removed) at++
    }
  }
  return twins
}
const NO_UNIT: Unit = { id: '', key: '', text: '', words: 0 }

/**
 * Gives the units of a difference to the places it touches, and makes a place to watch of every other change in it:
 * of each reworded unit, and of each run that came or went between two units that stayed.
 */
function share(hunk: Hunk, touched: Found[], current: Unit[], fetched: Unit[]): Found[] {
  const from = Math.min(hunk.from, ...touched.map((place) => place.from))
  const to = Math.max(hunk.to, ...touched.map((place) => place.to))
  // Outside the difference the units are the same, so that the range grows alike on both sides.
  const otherFrom = hunk.otherFrom - (hunk.from - from)
  const otherTo = hunk.otherTo + (to - hunk.to)
  const [before, after] = [current.slice(from, to), fetched.slice(otherFrom, otherTo)]
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
    const [first, last] = [from + start, from + end]
    const inForce = current.slice(first, last)
    const around = neighboursOf(current, first, last)
    const text = {
      keys: inForce.map(shortKey),
      excerpt: excerptOf(inForce),
      since: '',
      fetches: 2,
    }
    const place: Place = {
      inForce: inForce.map(({ id }) => id),
      around,
      aroundLatest: around,
      texts: [text],
      transient: 0,
    }
    return { place, from: first, to: last, units, isNew: true }
  }
}

const excerptOf = (units: Unit[]) =>
  units
    .map(({ text }) => text)
    .join(' ')
    .slice(0, EXCERPT_CHARACTERS)

function taught(found: Found[], current: Unit[], fetched: Unit[], time: FetchTime, compare: Comparer): Learned {
  const index = new Map(fetched.map((unit, i) => [unit.id, i]))
  const places: Place[] = []
  const [currentLeftOut, leftOut]: [Unit[], Unit[]] = [[], []]
  for (const { place, from, to, units } of found) {
    const inForce = current.slice(from, to)
    if (Math.max(units.length, inForce.length) > MAX_PLACE_UNITS) continue
    if (Math.max(count(units), count(inForce)) > MAX_PLACE_WORDS) continue
    const at = units.map(({ id }) => index.get(id)!)
    const next = afterFetch({ ...place, inForce: inForce.map(({ id }) => id) }, units, time)
    if (!next) continue
    const aroundLatest =
      at.length > 0 ? neighboursOf(fetched, Math.min(...at), Math.max(...at) + 1) : place.aroundLatest
    places.push({ ...next, around: neighboursOf(current, from, to), aroundLatest })
    if (!next.volatileSince) continue
    const lasting = lastingUnits(next, units)
    const [one, other] = [inForce[0], units[0]]
    if (one && other && inForce.length === 1 && units.length === 1) {
      const remembered = next.texts.map(({ excerpt }) => excerpt)
      const [a, b] = [one, other].map((unit) => varyingWords(unit.text, remembered, compare))
      if (a && b) {
        currentLeftOut.push({ ...one, id: wordsId(one.id, a), words: a.length })
        leftOut.push({ ...other, id: wordsId(other.id, b), words: b.length })
        continue
      }
    }
    currentLeftOut.push(...inForce)
    leftOut.push(...units.filter((unit) => !lasting.has(unit)))
  }
  const kept = places.sort((a, b) => Number(b.volatileSince !== undefined) - Number(a.volatileSince !== undefined))
  const volatility = { places: kept.slice(0, MAX_PLACES) }
  const most = Math.max(count(leftOut) / count(fetched), count(currentLeftOut) / count(current))
  if (!(most <= MAX_LEFT_OUT_SHARE)) return { volatility, currentLeftOut: [], leftOut: [] }
  return { volatility, currentLeftOut: currentLeftOut.map(({ id }) => id), leftOut: leftOut.map(({ id }) => id) }
}
