import { type Instant, plus } from '../../lib/instant.ts'
import { storableText } from '../../lib/text.ts'
import type { Unit } from '../normalize/units-rules.ts'
import {
  EXCERPT_CHARACTERS,
  FORGET_DELAYS,
  FORGET_FETCHES,
  type Neighbours,
  type Place,
  type PlaceText,
  REMEMBERED_TEXTS,
  TRANSIENT_TEXTS,
  WATCH_MS,
} from './schema.ts'

/** When a text was fetched, and how long a new text of its document has to stay. */
export type FetchTime = { at: Instant; confirmMs: number }

export const shortKey = (unit: Unit): string => storableText(unit.key.slice(0, 200))
const EDGE = '\n'

/** The beginning of what units say, a line each. The cut may go through a character of two, which cannot be stored as half. */
export const excerptOf = (units: Unit[]): string =>
  storableText(
    units
      .map(({ text }) => text)
      .join('\n')
      .slice(0, EXCERPT_CHARACTERS),
  )

/** What the units of a remembered text say; without the one that the excerpt cuts. */
export const excerptsOf = ({ excerpt }: PlaceText): string[] =>
  excerpt.split('\n').slice(0, excerpt.length < EXCERPT_CHARACTERS ? undefined : -1)

/** The keys of the units beside a range; the beginning and the end of a text have one of their own. */
export const neighboursOf = (units: Unit[], from: number, to: number): Neighbours => ({
  before: from > 0 ? shortKey(units[from - 1]!) : EDGE,
  after: to < units.length ? shortKey(units[to]!) : EDGE,
})

/** Where a place is in the text in force; undefined when that text has changed around it. */
export function locate(place: Place, units: Unit[]): [from: number, to: number] | undefined {
  const { inForce, around, aroundLatest } = place
  if (inForce.length > 0) {
    const from = units.findIndex(({ id }) => id === inForce[0])
    if (from >= 0 && inForce.every((id, i) => units[from + i]?.id === id)) return [from, from + inForce.length]
  }
  return between(units, around) ?? between(units, aroundLatest)
}

/** Most units between two neighbours that are taken for one place. */
const MAX_BETWEEN = 12

function between(units: Unit[], { before, after }: Neighbours): [number, number] | undefined {
  const keys = units.map(shortKey)
  for (let i = before === EDGE ? -1 : keys.indexOf(before); i < units.length; i = keys.indexOf(before, i + 1)) {
    if (i < 0 && before !== EDGE) return undefined
    const end = after === EDGE ? units.length : keys.indexOf(after, i + 1)
    if (end >= 0 && end - i - 1 <= MAX_BETWEEN) return [i + 1, end]
    if (before === EDGE) return undefined
  }
  return undefined
}

/** The place after a fetch that had `units` there. Returns undefined when it has been stable for long enough. */
export function afterFetch(place: Place, units: Unit[], { at, confirmMs }: FetchTime): Place | undefined {
  const keys = units.map(shortKey)
  const newest = place.texts.at(-1)
  const stayed = (since: string, forMs: number, until: string = at) =>
    since === '' || until >= plus(since as Instant, forMs)
  if (newest && sameKeys(newest.keys, keys)) {
    const seen = { ...newest, lastAt: at, fetches: newest.fetches + 1 }
    const texts = place.texts.with(-1, seen)
    const isStable = place.volatileSince
      ? seen.fetches >= FORGET_FETCHES && stayed(seen.since, FORGET_DELAYS * confirmMs)
      : seen.since !== '' && stayed(seen.since, WATCH_MS)
    if (isStable) return undefined
    const isConfirmed = stayed(seen.since, confirmMs) && !place.volatileSince
    return { ...place, texts, transient: isConfirmed ? 0 : place.transient }
  }
  // A text that is replaced after exactly a day was never fetched when it could have been confirmed.
  const wasStable =
    newest === undefined || (newest.fetches >= 2 && stayed(newest.since, confirmMs, newest.lastAt ?? newest.since))
  const transient = wasStable ? 0 : place.transient + 1
  const earlier = place.texts.slice(0, -1).flatMap((text) => text.keys)
  const isPool = place.isPool || keys.some((key) => earlier.includes(key) && !newest?.keys.includes(key))
  const text = {
    keys,
    excerpt: excerptOf(units),
    since: at,
    fetches: 1,
  }
  return {
    ...place,
    texts: [...place.texts, text].slice(-REMEMBERED_TEXTS),
    isPool,
    transient,
    volatileSince: place.volatileSince ?? (transient >= TRANSIENT_TEXTS ? at : undefined),
  }
}

const sameKeys = (a: string[], b: string[]) => a.length === b.length && a.every((key, i) => key === b[i])

/** Returns whether the newest texts of a place have the same units, each time in another order. */
export function isReordered({ texts }: Place): boolean {
  const recent = texts.slice(-TRANSIENT_TEXTS).map(({ keys }) => keys.toSorted())
  return recent.length === TRANSIENT_TEXTS && recent.every((keys) => keys.length > 1 && sameKeys(keys, recent[0]!))
}

/** Texts of a place in which a unit has to be, one after another, to be part of the document and not of the place. */
const LASTING_TEXTS = 3

/** The newest texts of a place that tell what stays in it; undefined while there are too few. */
export function recentTexts({ texts, isPool }: Place): PlaceText[] | undefined {
  const needed = isPool ? REMEMBERED_TEXTS : LASTING_TEXTS
  return texts.length < needed ? undefined : texts.slice(-needed)
}

/** The keys of the units that stayed in a place while others changed. */
export function lastingKeys(place: Place): Set<string> {
  const recent = recentTexts(place)
  if (!recent) return new Set()
  return new Set(recent.at(-1)!.keys.filter((key) => recent.every(({ keys }) => keys.includes(key))))
}

/** The units of a volatile place that stayed while the others changed: they were added beside it. */
export function lastingUnits(place: Place, units: Unit[]): Set<Unit> {
  const lasting = lastingKeys(place)
  const ofPlace = new Set(place.inForce)
  return new Set(units.filter((unit) => !ofPlace.has(unit.id) && lasting.has(shortKey(unit))))
}
