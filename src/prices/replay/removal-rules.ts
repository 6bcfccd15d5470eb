import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import { isLasting } from './measure-rules.ts'
import { type RawChange, setOf } from './raw-change-rules.ts'

/** A line or resource that stopped being served because its source no longer listed it. */
export type Removal = { key: string; at: Instant }

/** When each line was in the snapshots. */
export type PeriodsByLine = Map<string, Period[]>
type Period = { from: Instant; to?: Instant }

const LISTED_AGAIN_WITHIN_MS = 2 * DAY

/**
 * Whether a line was listed when it was removed, or again within two days. Not so if it had ended with a true change of its
 * resource, and came back when that ended: all lines of a resource are published together, absences included.
 */
export function isFalse(removal: Removal, listed: PeriodsByLine, changes: RawChange[]): boolean {
  if (!isListed(removal, listed, LISTED_AGAIN_WITHIN_MS)) return false
  const periods = listed.get(removal.key)!
  const next = periods.find(({ from }) => from > removal.at)
  const ended = periods.findLast(({ to }) => to && to <= removal.at)?.to
  if (isListed(removal, listed, 0) || !ended || !next) return true
  const set = setOf(removal.key, ended)
  return !changes.some((change) => change.set === set && change.until === next.from && isLasting(change))
}

/** Whether a line was listed when it was removed, or at any time after. */
export const isListedAgain = (removal: Removal, listed: PeriodsByLine): boolean => isListed(removal, listed, Infinity)

/** Whether a removed line was listed then, or at most so much later. */
function isListed({ key, at }: Removal, listed: PeriodsByLine, withinMs: number): boolean {
  const periods = listed.get(key) ?? []
  return periods.some(({ from, to }) => (from <= at ? !to || to > at : epochMs(from) - epochMs(at) <= withinMs))
}
