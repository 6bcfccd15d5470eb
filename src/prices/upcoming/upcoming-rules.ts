import { groupBy, tally } from '../../lib/collections.ts'
import { DAY, earliest, type Instant, plus } from '../../lib/instant.ts'
import { whyUnusable } from '../plan/difference/usable-observation-rules.ts'
import { identityOf, lineKey } from '../row-rules.ts'
import { isSamePrice } from '../same-price-rules.ts'
import type { AnnouncedPrice } from '../schema.ts'
import type { DecidedUpcoming, EndReason, OpenUpcoming, Upcoming } from './schema.ts'

/** A price for a later day than two years from now was misread, or no one can rely on it. */
export const MOST_AHEAD_MS = 2 * 366 * DAY

/** Returns the served name of a resource that a source writes otherwise; undefined when it does not list it. */
export type Spelling = (named: { provider: string; resource: string }) => string | undefined

/**
 * Returns the next price that is announced for each line. What is left out is counted by reason; two prices for one line
 * and day are both left out.
 */
export function nextAnnounced(announced: AnnouncedPrice[], now: Instant, nameOf: Spelling) {
  const suppressed: Record<string, number> = {}
  const usable = announced.flatMap(({ observation, from }): Upcoming[] => {
    const { price, canonicalResource, effectiveFrom, locator } = observation
    const resource = nameOf(observation)
    const problem = whyUnusable(observation) ?? whyNotKept(price, observation.dimension, from, now)
    if (resource === undefined || problem !== undefined) {
      if (problem !== undefined) tally(suppressed, problem)
      return []
    }
    const line = { ...identityOf(observation), resource }
    const since = effectiveFrom ?? dayOf(from)
    return [{ ...line, price, beginsAt: from, effectiveFrom: since, canonicalResource, locator }]
  })
  const upcoming = [...groupBy(usable, lineKey).values()].flatMap((ofLine) => {
    const first = ofLine.map(({ beginsAt }) => beginsAt).reduce(earliest)
    const next = ofLine.filter(({ beginsAt }) => beginsAt === first)
    if (next.every(({ price }) => isSamePrice(price, next[0]!.price))) return [next[0]!]
    tally(suppressed, 'announced_twice', next.length)
    return []
  })
  return { upcoming, suppressed }
}

/** In many sources a zero for cached tokens means that the price is unknown. */
function whyNotKept(price: string, dimension: string, from: Instant, now: Instant): string | undefined {
  if (price === '0' && dimension.startsWith('cache_')) return 'zero_means_unknown'
  return from > plus(now, MOST_AHEAD_MS) ? 'announced_too_far_ahead' : undefined
}

/** Midnight in UTC is written as its day, as pages do. */
const dayOf = (instant: Instant): string => instant.replace(/T00:00:00\.000Z$/, '')

type StatedPrice = Pick<Upcoming, 'price' | 'effectiveFrom'>

/** What subscribers receive about an announcement. */
export type UpcomingChange = {
  action: 'announced' | 'changed' | 'withdrawn'
  line: DecidedUpcoming | OpenUpcoming
  announced?: StatedPrice
  replaces?: StatedPrice
}

export type UpcomingDifference = {
  begin: DecidedUpcoming[]
  end: { id: string; because: EndReason }[]
  changes: UpcomingChange[]
  /** The announcements that are repeated. */
  same: string[]
}

/**
 * Compares what a source announces with what was announced before: by itself, and by others for the same lines. A price
 * that the snapshot lists now has begun, also ahead of its day.
 */
export function upcomingDifference(
  source: string,
  wanted: DecidedUpcoming[],
  open: OpenUpcoming[],
): UpcomingDifference {
  const found: UpcomingDifference = { begin: [], end: [], changes: [], same: [] }
  const news = new Map(wanted.filter(isNews).map((one) => [lineKey(one), one]))
  const known = new Set<string>()
  const ownFirst = [...open].sort((a, b) => Number(b.source === source) - Number(a.source === source))
  for (const before of ownFirst) {
    const key = lineKey(before)
    const now = news.get(key)
    const isSame = now !== undefined && isSameAnnouncement(before, now)
    if (isSame && before.source === source) {
      found.same.push(before.id)
      known.add(key)
      continue
    }
    const because = isSame ? 'taken_over' : before.isListed ? 'begun' : now ? 'changed' : 'withdrawn'
    found.end.push({ id: before.id, because })
    if (known.has(key) || because === 'begun') continue
    known.add(key)
    if (because === 'changed')
      found.changes.push({ action: 'changed', line: now!, announced: statedBy(now!), replaces: statedBy(before) })
    if (because === 'withdrawn') found.changes.push({ action: 'withdrawn', line: before, replaces: statedBy(before) })
  }
  const repeated = new Set(open.filter(({ id }) => found.same.includes(id)).map(lineKey))
  for (const [key, one] of news) {
    if (repeated.has(key)) continue
    found.begin.push(one)
    if (!known.has(key)) found.changes.push({ action: 'announced', line: one, announced: statedBy(one) })
  }
  return found
}

export const isUnchanged = ({ begin, end }: UpcomingDifference): boolean => begin.length + end.length === 0

/** A price that is in force already is not announced. */
const isNews = ({ price, current }: DecidedUpcoming) => current === undefined || !isSamePrice(current.price, price)

const isSameAnnouncement = (a: Upcoming | OpenUpcoming, b: Upcoming): boolean =>
  a.beginsAt === b.beginsAt && isSamePrice(a.price, b.price)

const statedBy = ({ price, effectiveFrom }: StatedPrice): StatedPrice => ({ price, effectiveFrom })
