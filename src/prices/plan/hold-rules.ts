import { DAY, epochMs, type Instant, plus } from '../../lib/instant.ts'
import type { Standing } from './evidence-schema.ts'
import type { HoldReason, Verdict } from './schema.ts'

/** A doubtful set is published once its source listed it for this long, in so many good fetches. */
const STANDING_MS = DAY
/** Until then, a line that new prices contradict may be listed again. It is removed when they are published. */
export const CONTRADICTION_STANDS_MS = 3 * DAY
export const STANDING_FETCHES = 3

/**
 * The doubts that time ends: of hundreds of such changes in public histories nearly none went back. A misread unit, a
 * missing price and another currency stand as long as a right price does, so those need other evidence or a person.
 */
const ENDED_BY_TIME: Record<HoldReason, boolean> = {
  large_change: true,
  very_large_change: true,
  flips_back: true,
  from_zero: true,
  mass_change: true,
  batch_above_standard: true,
  tier_below_base: true,
  cache_write_far_above_input: true,
  contradicts_missing_line: true,
  tenfold_with_others: true,
  output_slightly_below_input: true,
  free_unlike_other_sellers: true,
  unusual_first_price: true,
  unusual_at_provider: true,
  provider_flipped_unit: false,
  to_zero: false,
  power_of_ten: false,
  currency_changed: false,
  unit_changed: false,
  implausible_price: false,
  unlike_other_sellers: false,
  cache_read_above_input: false,
  output_below_input: false,
  left_by_its_source: false,
  with_its_set: true,
}

/** The doubts that other evidence or a person has to end. */
export const NOT_ENDED_BY_TIME = (Object.keys(ENDED_BY_TIME) as HoldReason[]).filter((reason) => !ENDED_BY_TIME[reason])

/** Whether a set that is held for these reasons is published once it has stood. */
export const isEndedByTime = (reasons: HoldReason[]): boolean => reasons.every((reason) => ENDED_BY_TIME[reason])

/** A list that takes sellers' prices from their maker's takes back within this time what was too early. */
const WITH_OTHERS_STANDS_MS = 14 * DAY

/** How long a set that is held for these reasons has to stand. */
export function standingMs(reasons: HoldReason[]): number {
  if (reasons.includes('tenfold_with_others')) return WITH_OTHERS_STANDS_MS
  return reasons.includes('contradicts_missing_line') ? CONTRADICTION_STANDS_MS : STANDING_MS
}

export const hasStood = ({ since, fetches }: Standing, now: Instant, reasons: HoldReason[] = []): boolean =>
  fetches >= STANDING_FETCHES && epochMs(now) - epochMs(since) >= standingMs(reasons)

/** Since when a set has stood long enough. */
export const standsAt = ({ since }: Standing, reasons: HoldReason[] = []): Instant => plus(since, standingMs(reasons))

/**
 * A set that time does not end is judged again when it has stood, and each time this much later: what others publish, or
 * its own provider, may have changed.
 */
const JUDGED_AGAIN_MS = 7 * DAY

/** When a held set is judged again although its source says nothing new. */
export function judgedAgainAt(reasons: HoldReason[], standing: Standing, now: Instant): Instant {
  const stands = standsAt(standing, reasons)
  return isEndedByTime(reasons) || now < stands ? stands : plus(now, JUDGED_AGAIN_MS)
}

/** Returns why a row is published, for its history; undefined for a change that nothing spoke against. */
export function whyPublished({ reasons, evidence, standing }: Verdict): string | undefined {
  if (reasons.length > 0) return `${reasons.join(', ')}; listed in ${standing.fetches} fetches since ${standing.since}`
  if (evidence?.before === undefined) return undefined
  const { fitBefore, fitAfter, before, witnesses = [], sellers } = evidence
  const agreeing = witnesses.filter(({ agrees }) => agrees).map(({ source }) => source)
  if (fitBefore === 'misfits' && fitAfter !== 'misfits') return `corrects ${before}, which was implausible`
  if (agreeing.length > 0) return `also published by ${agreeing.join(', ')}`
  if (evidence.sameShareAs) return `the same share of its input price as ${evidence.sameShareAs}`
  return fitAfter === 'fits' && sellers ? `${sellers.count} other sellers charge nearly the same` : undefined
}
