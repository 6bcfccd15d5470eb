import { DAY, epochMs, HOUR, type Instant, plus } from '../../lib/instant.ts'
import { WAIT_FETCHES } from '../plan/holds/end-rules.ts'

/** A line whose state changes once its source repeated what it says: an absent one, or one that is held. */
export type WaitingLine = {
  /** The good fetches that showed it so far. */
  fetches: number
  /** No sooner than this. */
  dueAt: Instant
}

/** Whether a fetch at this instant may change the state of a line: then its snapshot is compared again. */
export const isDue = ({ fetches, dueAt }: WaitingLine, now: Instant): boolean =>
  fetches + 1 >= WAIT_FETCHES && dueAt <= now

/** A source of which a line waits is fetched this often at least: three fetches fit into a day. */
const CONFIRM_EVERY_MS = 8 * HOUR

/** Returns when a source is fetched again at the latest, though its interval is longer; undefined when nothing waits. */
export const confirmedAgainAt = (lines: WaitingLine[], now: Instant): Instant | undefined =>
  lines.some(({ dueAt }) => dueAt <= plus(now, DAY)) ? plus(now, CONFIRM_EVERY_MS) : undefined

/**
 * Returns which of the fetches after `last`, one per interval, is the first that may change the state of a line: 1 for
 * the next one. Undefined when no line waits.
 */
export function nextDueFetch(lines: WaitingLine[], last: Instant, intervalMs: number): number | undefined {
  const numbers = lines.map(({ fetches, dueAt }) =>
    Math.max(1, WAIT_FETCHES - fetches, Math.ceil((epochMs(dueAt) - epochMs(last)) / intervalMs)),
  )
  return numbers.length === 0 ? undefined : numbers.reduce((a, b) => Math.min(a, b))
}

export const fetchAt = (last: Instant, number: number, intervalMs: number): Instant => plus(last, number * intervalMs)
