import { DAY, epochMs, type Instant, plus } from '../../../lib/instant.ts'
import type { Wait } from '../evidence/evidence-schema.ts'
import type { Verdict } from '../schema.ts'
import type { Hold } from './hold.ts'
import { HOLDS, type HoldReason } from './index.ts'

/** A doubtful set is published once its source listed it for the days of its holds, in this many good fetches. */
export const WAIT_FETCHES = 3

const OF_CODE: ReadonlyMap<HoldReason, Hold> = new Map(HOLDS.map((hold) => [hold.code, hold]))
/** Returns a hold by its code; undefined for one of an earlier release. */
export const holdOf = (reason: HoldReason): Hold | undefined => OF_CODE.get(reason)
const endOf = (reason: HoldReason) => holdOf(reason)?.ends

/** The doubts that other evidence or a person has to end. */
export const NOT_ENDED_BY_TIME: HoldReason[] = HOLDS.flatMap(({ code, ends }) => (ends.by === 'time' ? [] : [code]))

/** Whether a set that is held for these reasons is published once it has waited. */
export const isEndedByTime = (reasons: HoldReason[]): boolean => reasons.every((reason) => endOf(reason)?.by === 'time')

/** How long a set that is held for these reasons has to wait: a day, or what the longest of them takes. */
export const waitMs = (reasons: HoldReason[]): number =>
  Math.max(DAY, ...reasons.map(endOf).map((end) => (end?.by === 'time' ? end.days * DAY : 0)))

export const hasWaited = ({ since, fetches }: Wait, now: Instant, reasons: HoldReason[] = []): boolean =>
  fetches >= WAIT_FETCHES && epochMs(now) - epochMs(since) >= waitMs(reasons)

/** When a set has waited long enough. */
export const waitEndsAt = ({ since }: Wait, reasons: HoldReason[] = []): Instant => plus(since, waitMs(reasons))

/**
 * A set that time does not end is judged again when it has waited, and each time this much later: what others publish, or
 * its own provider, may have changed.
 */
const JUDGED_AGAIN_MS = 7 * DAY

/** When a held set is judged again although its source says nothing new. */
export function judgedAgainAt(reasons: HoldReason[], wait: Wait, now: Instant): Instant {
  const endsAt = waitEndsAt(wait, reasons)
  return isEndedByTime(reasons) || now < endsAt ? endsAt : plus(now, JUDGED_AGAIN_MS)
}

/** Returns why a row is published, for its history; undefined for a change that nothing spoke against. */
export function whyPublished({ reasons, evidence, wait }: Verdict): string | undefined {
  if (reasons.length > 0) return `${reasons.join(', ')}; listed in ${wait.fetches} fetches since ${wait.since}`
  if (evidence?.before === undefined) return undefined
  const { fitBefore, fitAfter, before, witnesses = [], sellers } = evidence
  const agreeing = witnesses.filter(({ agrees }) => agrees).map(({ source }) => source)
  if (fitBefore === 'misfits' && fitAfter !== 'misfits') return `corrects ${before}, which was implausible`
  if (agreeing.length > 0) return `also published by ${agreeing.join(', ')}`
  if (evidence.sameShareAs) return `the same share of its input price as ${evidence.sameShareAs}`
  return fitAfter === 'fits' && sellers ? `${sellers.count} other sellers charge nearly the same` : undefined
}
