import { epochMs, type Instant, MINUTE, SECOND } from '../../lib/instant.ts'
import type { MachineClock } from '../../lib/process/machine-clock.ts'

/** How far in the past the newest instant is that can be read (specification, Limits). */
export const AS_OF_DELAY_MS = 15 * MINUTE

/** Clocks that differ by more are reported. */
const SKEW_REPORTED_MS = 5 * SECOND
/** A clock that is ahead by more stamps nothing. Answers are 15 minutes old, so less than this cannot show. */
const AHEAD_REFUSED_MS = 30 * SECOND

/** The database's clock, read between two readings of this machine's. */
export type ClockReading = { database: Instant; before: MachineClock; after: MachineClock }

/** What both clocks read at one moment of this machine's uptime, when nothing was wrong. */
export type ClockAnchor = { database: Instant; machine: Instant; uptimeMs: number }

/**
 * What is wrong with the database's clock, if anything is:
 * - `database_ahead`, `jumped_ahead`: nothing may be stamped until that is over
 * - `skewed`, `stepped_back`: reported; stamps stay later than the last one whatever the clock does
 */
export type ClockVerdict =
  | { state: 'steady' }
  | { state: 'database_ahead' | 'jumped_ahead' | 'skewed' | 'stepped_back'; byMs: number }

/**
 * Judges the database's clock by two others: this machine's, and what the anchor and the uptime predict. Where both
 * clocks jumped together, as on one machine, only the uptime shows it. Where the database's clock now agrees with a
 * machine whose clock ran evenly, or ran evenly itself, it was corrected and is right.
 */
export function judgeClock({ database, before, after }: ClockReading, anchor?: ClockAnchor): ClockVerdict {
  const ahead = epochMs(database) - epochMs(after.at)
  const behind = epochMs(before.at) - epochMs(database)
  if (ahead > AHEAD_REFUSED_MS) return { state: 'database_ahead', byMs: ahead }
  if (anchor) {
    // Compared with the later reading a slow answer makes a jump look smaller, never larger.
    const passed = after.uptimeMs - anchor.uptimeMs
    const databaseJump = epochMs(database) - epochMs(anchor.database) - passed
    const machineJump = epochMs(after.at) - epochMs(anchor.machine) - passed
    const jump = Math.min(databaseJump, machineJump)
    if (jump > AHEAD_REFUSED_MS) return { state: 'jumped_ahead', byMs: jump }
    const back = -Math.max(databaseJump + (after.uptimeMs - before.uptimeMs), machineJump)
    if (back > AHEAD_REFUSED_MS) return { state: 'stepped_back', byMs: back }
  }
  const skew = Math.max(ahead, behind)
  return skew > SKEW_REPORTED_MS ? { state: 'skewed', byMs: skew } : { state: 'steady' }
}

/** Whether a publication may be stamped. */
export const mayStamp = (verdict: ClockVerdict): boolean =>
  verdict.state !== 'database_ahead' && verdict.state !== 'jumped_ahead'

/** What to remember of a reading in which nothing was wrong. A slow answer makes later clocks look behind, never ahead. */
export const anchorOf = ({ database, before }: ClockReading): ClockAnchor => ({
  database,
  machine: before.at,
  uptimeMs: before.uptimeMs,
})

const ACCEPT = 'npx pricetape clock accept'

/** What is wrong and what to do, in one or two sentences; empty for a steady clock. */
export function clockMessage(verdict: ClockVerdict): string {
  if (verdict.state === 'steady') return ''
  const by = `${Math.round(verdict.byMs / SECOND).toLocaleString('en-US')} s`
  switch (verdict.state) {
    case 'database_ahead':
      return `the database's clock is ${by} ahead of this machine's. Correct the clock that is wrong; publishing goes on by itself.`
    case 'jumped_ahead':
      return `the clock jumped ahead by ${by}. Correct it and publishing goes on by itself; if it is right now, run ${ACCEPT}.`
    case 'stepped_back':
      return `the clock stepped back by ${by}. New prices are stamped after the last ones all the same; if it is right now, run ${ACCEPT}.`
    case 'skewed':
      return `the database's clock and this machine's differ by ${by}. Set both by NTP.`
  }
}
