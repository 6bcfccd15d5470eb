import { type ClockVerdict, clockMessage } from '../catalog/clock/clock-rules.ts'
import { endsAt } from '../catalog/sources/source-rules.ts'
import { epochMs, type Instant, instantOf, latest, MINUTE, SECOND } from '../lib/instant.ts'
import {
  type CheckRun,
  CONDITIONS,
  type Condition,
  type Health,
  type WaitingDeliveries,
  type WorkerReport,
} from './schema.ts'

/** Checks run every five minutes: when none has finished for two of their intervals, checks have stopped. */
const CHECK_OVERDUE_MS = 10 * MINUTE
/** From eligibleAt to the first attempt, in the worst case (specification, Timing and retries). */
const CHANGE_LATE_MS = 18 * MINUTE
/** What is due is sent by the next check, within 5 minutes, and in the 200 seconds in which that starts deliveries. */
export const LATE_AFTER_MS = 5 * MINUTE + 200 * SECOND
/** Deliveries are late when those of more than this share of the workspaces are: one slow endpoint says nothing of us. */
const LATE_SHARE = 0.05
/** A worker reports within this time after a start, and is given up when it was not seen for as long. */
export const WORKER_SEEN_WITHIN_MS = 45 * SECOND
/** A last stamp this far ahead of the clock was made by a clock that was wrong. */
const STAMP_AHEAD_MS = 5 * SECOND

/** What the database says about the work of an installation, and what this process saw of the database. */
export type HealthFacts = {
  now: Instant
  /** When a worker or a migration first prepared Temporal; absent before that. */
  installedAt?: Instant
  /** When the installation that is looked at was started: checks and workers are expected from then on. */
  startedAt?: Instant
  lastCheck?: CheckRun
  workers: WorkerReport[]
  /** When the oldest change became eligible that was not matched with webhooks yet. */
  unmatched?: Instant
  /** What waits, as it was last counted; absent while no count is new enough. */
  waiting?: Pick<WaitingDeliveries, 'workspaces' | 'lateWorkspaces' | 'oldestDueSeconds'>
  lastStamp: Instant
  clock: ClockVerdict
  /** Sources that are not declared any more, and whose prices are still served. */
  undeclared?: { source: string; undeclaredAt: Instant }[]
  /** What writing to the database failed with: an SQLSTATE or a code of the driver. */
  writeError?: { code?: string; message: string }
}

/** Judges the facts: what does not work, what works and is worth knowing, and whether reads are served. */
export function healthOf(facts: HealthFacts): Health {
  const conditions = [
    ...writing(facts),
    ...clockConditions(facts.clock),
    ...stamps(facts),
    ...checks(facts),
    ...lateness(facts),
    ...undeclaredSources(facts),
    // What several workers found is one condition.
    ...facts.workers.flatMap((worker) => worker.conditions),
  ]
  const known = new Set<string>()
  const distinct = conditions.filter(({ code }) => !known.has(code) && known.add(code))
  return toHealth(distinct)
}

/** Health when the database cannot be read. */
export const databaseAway = (message: string): Health =>
  toHealth([{ code: 'database_away', message: `The database does not answer: ${message}.` }])

function toHealth(conditions: Condition[]): Health {
  const reasons = conditions.filter(({ code }) => CONDITIONS[code] === 'not_ready')
  const degraded = conditions.filter(({ code }) => CONDITIONS[code] === 'degraded')
  const reads = !conditions.some(({ code }) => STOPS_READS.has(code))
  return { ready: reasons.length === 0, reads, reasons, degraded }
}

/** Every request takes tokens from its rate limits, so reading needs a database that can be written. */
const STOPS_READS = new Set<Condition['code']>([
  'database_away',
  'database_read_only',
  'disk_full',
  'database_not_writable',
])

const DISK_FULL = '53100'
const READ_ONLY = '25006'

function writing({ writeError }: HealthFacts): Condition[] {
  if (!writeError) return []
  const { code, message } = writeError
  if (code === DISK_FULL) return [{ code: 'disk_full', message: `The database’s disk is full: ${message}. Make room.` }]
  if (code === READ_ONLY) {
    const what = 'The database is read-only. Name the primary in DATABASE_URL, or end its read-only mode.'
    return [{ code: 'database_read_only', message: what }]
  }
  return [{ code: 'database_not_writable', message: `The database cannot be written: ${message}.` }]
}

/** What is wrong with a machine's clock or the database's. */
export function clockConditions(verdict: ClockVerdict): Condition[] {
  if (verdict.state === 'steady') return []
  const message = clockMessage(verdict).replace(/^./, (first) => first.toUpperCase())
  return [{ code: CLOCK_CODES[verdict.state], message }]
}

const CLOCK_CODES = {
  jumped_ahead: 'clock_jumped',
  database_ahead: 'clock_skew',
  skewed: 'clock_skew',
  stepped_back: 'clock_stepped_back',
} as const satisfies Record<Exclude<ClockVerdict['state'], 'steady'>, Condition['code']>

function stamps({ lastStamp, now }: HealthFacts): Condition[] {
  if (epochMs(lastStamp) - epochMs(now) <= STAMP_AHEAD_MS) return []
  const message = `The newest publication is stamped ${lastStamp}, which is to come: a clock was ahead. What is published now is stamped after it.`
  return [{ code: 'stamps_ahead', message }]
}

const BEFORE_ALL = instantOf(0)

function checks({ now, installedAt, startedAt, lastCheck, workers }: HealthFacts): Condition[] {
  const found: Condition[] = []
  const since = latest(lastCheck?.finishedAt ?? installedAt ?? now, startedAt ?? BEFORE_ALL)
  if (epochMs(now) - epochMs(since) >= CHECK_OVERDUE_MS) {
    const last = lastCheck ? `The last check finished at ${lastCheck.finishedAt}` : 'No check has finished yet'
    const message = `${last}, and one is due every 5 minutes. Nothing is collected or delivered. See the workers’ logs and the schedule “check” in Temporal.`
    found.push({ code: 'no_recent_check', message })
  } else if (!lastCheck && startedAt === undefined) {
    const message =
      'No check has finished yet. The first one begins when a worker starts, and takes up to five minutes.'
    found.push({ code: 'no_check_yet', message })
  }
  const running = startedAt === undefined ? Number.POSITIVE_INFINITY : epochMs(now) - epochMs(startedAt)
  if (workers.length === 0 && running >= WORKER_SEEN_WITHIN_MS) {
    found.push({ code: 'no_worker', message: 'No worker is running. Start one: npm start -- --role worker.' })
  }
  if (lastCheck && lastCheck.problems.length > 0) {
    const message = `The last check, at ${lastCheck.finishedAt}, had problems: ${lastCheck.problems.join(' ')}`
    found.push({ code: 'check_problems', message })
  }
  return found
}

function lateness({ now, unmatched, waiting }: HealthFacts): Condition[] {
  const late: string[] = []
  const unmatchedMs = unmatched ? epochMs(now) - epochMs(unmatched) : 0
  if (unmatchedMs > CHANGE_LATE_MS)
    late.push(`a change has waited to be matched with webhooks for ${minutes(unmatchedMs)}, where 18 are the most`)
  if (waiting && waiting.lateWorkspaces > LATE_SHARE * waiting.workspaces) {
    const { lateWorkspaces, workspaces, oldestDueSeconds } = waiting
    const oldest = minutes(oldestDueSeconds * SECOND)
    late.push(`those of ${lateWorkspaces} of ${workspaces} workspaces are, the oldest has been due for ${oldest}`)
  }
  if (late.length === 0) return []
  const message = `Deliveries are late: ${late.join('; ')}. docs/alerts.md says what to look at (Alert DeliveriesLate).`
  return [{ code: 'deliveries_late', message }]
}

const minutes = (ms: number): string => `${Math.floor(ms / MINUTE)} minutes`

/** This many are named; the others are counted. */
const SOURCES_NAMED = 3

function undeclaredSources({ undeclared = [] }: HealthFacts): Condition[] {
  const [first] = undeclared.toSorted((a, b) => (a.undeclaredAt < b.undeclaredAt ? -1 : 1))
  if (!first) return []
  const named = undeclared.slice(0, SOURCES_NAMED).map(({ source }) => source)
  const more = undeclared.length - named.length
  const which = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
  const message = `No longer declared, or off: ${which}. The first of them ends at ${endsAt(first.undeclaredAt)}, with its prices. Declare it again, or end it now: npx pricetape source end ${first.source}.`
  return [{ code: 'source_undeclared', message }]
}
