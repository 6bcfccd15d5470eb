import { DAY, epochMs, type Instant } from '../../../lib/instant.ts'
import type { KnownLine } from '../../schema.ts'
import { WAIT_FETCHES } from '../holds/end-rules.ts'
import type { Facts, GoneResource } from '../schema.ts'

/**
 * A resource counts as removed when it was absent from three good fetches, over at least this time. In six public
 * histories with a snapshot a day the ones that were missing for one to three days came back one by one.
 */
export const REMOVE_AFTER_MS = 3 * DAY
/**
 * A line of a resource that is still listed waits longer, because many come back. In a history with a snapshot a day, of 46
 * lines that came back 27 did so within a week, 13 within two, none in the three days after that, and 6 later.
 */
export const RETIRE_AFTER_MS = 14 * DAY
/** Lines that many resources lost together are asked about soon: they are served until someone decides. */
export const ASKED_AFTER_MS = DAY
/** The end of a step says what applies instead, so it is published soon. */
export const STEP_ENDS_AFTER_MS = DAY

/** How long a line of a listed resource is absent before it is removed. */
export const retireAfterMs = ({ pricingTier }: { pricingTier: string }): number =>
  pricingTier.includes('"context":') ? STEP_ENDS_AFTER_MS : RETIRE_AFTER_MS
/** What a person was asked about and no one else lists is removed after this time all the same. */
export const REMOVE_UNASKED_AFTER_MS = 14 * DAY

/** At most this share of a provider's resources is removed at once without a person; one always may be. */
const MOST_REMOVED_SHARE = 0.1

/** Whether an absence is confirmed. `misses` counts the present fetch. */
export function absenceConfirmed(misses: number, since: Instant, now: Instant, afterMs = REMOVE_AFTER_MS): boolean {
  return misses >= WAIT_FETCHES && epochMs(now) - epochMs(since) >= afterMs
}

/** How far apart two releases of a list are at least that confirm each other. */
const RELEASED_AFTER_MS = DAY

/** Whether a line was absent long enough to be gone. */
export function isAbsenceConfirmed(
  line: KnownLine,
  { quiet, now, lastIngestedAt }: Facts,
  afterMs = REMOVE_AFTER_MS,
): boolean {
  // In imported history every snapshot is a release of its source: one that lacks a line for a day confirms its end.
  if (quiet) return lastIngestedAt !== undefined && epochMs(now) - epochMs(lastIngestedAt) >= RELEASED_AFTER_MS
  return line.missingSince !== undefined && absenceConfirmed(line.missingCount + 1, line.missingSince, now, afterMs)
}

/** Whether all lines of a resource were absent long enough to be gone. */
export const isResourceGone = ({ lines }: GoneResource, facts: Facts, afterMs?: number): boolean =>
  lines.every((line) => isAbsenceConfirmed(line, facts, afterMs))

/** Returns how many of a provider's resources may be missing and still be removed without a person. */
export const removableAtOnce = (listed: number): number => Math.max(1, Math.floor(listed * MOST_REMOVED_SHARE))

export type Absences = {
  /** Resources of the provider that were listed before, missing ones included. */
  listed: number
  /** Missing now, confirmed or not. */
  missing: number
}

/** Returns why a person has to confirm the removals of a provider; undefined when no one has to. */
export function removalHeld({
  listed,
  missing,
}: Absences): 'whole_provider_missing' | 'mass_disappearance' | undefined {
  if (missing >= listed) return 'whole_provider_missing'
  return missing > removableAtOnce(listed) ? 'mass_disappearance' : undefined
}
