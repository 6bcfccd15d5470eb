import type { Comparer } from '../compare/changes-rules.ts'
import { type Unit, wordsId } from '../normalize/units-rules.ts'
import { hunksOf } from './align-rules.ts'
import { regionsOf } from './moves-rules.ts'
import { narrowed, withVaryingWords } from './new-passage-rules.ts'
import { afterFetch, type FetchTime, isReordered, lastingUnits, locate, neighboursOf } from './place-rules.ts'
import {
  MAX_LEFT_OUT_SHARE,
  MAX_PLACE_UNITS,
  MAX_PLACE_WORDS,
  MAX_PLACES,
  type Place,
  type Volatility,
} from './schema.ts'
import { type Found, share } from './share-rules.ts'
import { varyingWords } from './varying-words-rules.ts'

/** What a fetch taught: the places that change, and what is left out of the text in force and of the fetched one. */
type Learned = { volatility: Volatility; currentLeftOut: string[]; leftOut: string[] }

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
  const places = placesIn(known, current, compare)
  if (hunks.length === 0 && places.length === 0) return { volatility: { places: [] }, currentLeftOut: [], leftOut: [] }
  const found = [...places]
  const taken = new Set<Found>()
  for (const region of regionsOf(hunks, places, current, fetched)) {
    const touched = places.filter((place) => !taken.has(place) && place.from <= region.to && place.to >= region.from)
    const shared = share(region, touched, current, fetched)
    for (const place of touched) taken.add(place)
    found.push(...shared)
  }
  const twins = twinsOf(parts, fetched)
  for (const place of places) if (!taken.has(place)) place.units = twins.slice(place.from, place.to)
  return taught(found, current, fetched, time, compare)
}

/** The known places, in the order of the text in force; one that cannot be found, or is in another, is forgotten. */
function placesIn({ places }: Volatility, current: Unit[], compare: Comparer): Found[] {
  const found: Found[] = []
  for (const place of places) {
    const range = locate(place, current)
    if (!range) continue
    const located: Found = { place, from: range[0], to: range[1], units: [] }
    found.push(...(isNowInForce(place, located) ? narrowed(located, current, compare) : [located]))
  }
  found.sort((a, b) => a.from - b.from || a.to - b.to)
  return found.filter((place, i) => {
    const before = found[i - 1]
    return !before || place.from > before.to || (place.from === before.to && place.to > place.from)
  })
}

/** A passage came where the document had nothing, and is part of it now. */
const isNowInForce = ({ inForce }: Place, { from, to }: Found): boolean => inForce.length === 0 && from < to

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

function taught(found: Found[], current: Unit[], fetched: Unit[], time: FetchTime, compare: Comparer): Learned {
  const index = new Map(fetched.map((unit, i) => [unit.id, i]))
  const places: Place[] = []
  const [currentLeftOut, leftOut]: [Unit[], Unit[]] = [[], []]
  for (const { place, from, to, units, isAbsorbed } of found) {
    if (isAbsorbed) continue
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
    if (isReordered(next)) {
      currentLeftOut.push(...inBoth(inForce, units))
      leftOut.push(...inBoth(units, inForce))
      continue
    }
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
    const added = units.filter((unit) => !lasting.has(unit))
    leftOut.push(...added.map((unit) => (inForce.length > 0 ? unit : (withVaryingWords(next, unit, compare) ?? unit))))
  }
  const kept = places.sort((a, b) => Number(b.volatileSince !== undefined) - Number(a.volatileSince !== undefined))
  const volatility = { places: kept.slice(0, MAX_PLACES) }
  const most = Math.max(count(leftOut) / count(fetched), count(currentLeftOut) / count(current))
  if (!(most <= MAX_LEFT_OUT_SHARE)) return { volatility, currentLeftOut: [], leftOut: [] }
  return { volatility, currentLeftOut: currentLeftOut.map(({ id }) => id), leftOut: leftOut.map(({ id }) => id) }
}

/** The units that the other list has too, each as often as there. */
function inBoth(units: Unit[], other: Unit[]): Unit[] {
  const left = new Map<string, number>()
  for (const { key } of other) left.set(key, (left.get(key) ?? 0) + 1)
  return units.filter(({ key }) => {
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count > 0
  })
}
