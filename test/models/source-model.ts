/**
 * What the specification and docs/sources.md say of the life of a source. Times are in ms. What becomes of resources that
 * it no longer lists is in the model of publications.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What a request to a source gets. */
export type Reply =
  | { kind: 'list' }
  | { kind: 'status'; status: number; retryAfterMs?: number }
  | { kind: 'breaks off' }
  | { kind: 'unreadable' | 'empty' | 'shrunk' }
export type Outcome = 'changed' | 'unchanged' | 'failed' | 'quarantined'

export type ModelSource = {
  now: number
  /** Whether it is declared and enabled. */
  isOn: boolean
  /** The check that first saw it off. */
  offSince?: number
  intervalMs: number
  /** When it is due; a source that is new, on again or has another interval is due at once. */
  dueAt: number
  failures: number
  lastGoodAt?: number
  /** What its list shows, by resource. */
  listed: Map<string, string>
  /** What its list showed when it was last read. */
  read: Map<string, string>
  /** What is served, by resource. */
  served: Map<string, string>
}

export const newSource = (now: number, listed: Map<string, string>): ModelSource => ({
  ...{ now, isOn: true, intervalMs: 15 * MINUTE, dueAt: now, failures: 0 },
  ...{ listed, read: new Map(), served: new Map() },
})

export const isDue = ({ isOn, dueAt, now }: ModelSource): boolean => isOn && dueAt <= now

/** "after 5 minutes, then twice as late each time, 6 hours at most", and never sooner than the other side asks for. */
function backOff(failures: number, retryAfterMs = 0): number {
  const doubled = Math.min(5 * MINUTE * 2 ** (failures - 1), 6 * HOUR)
  return Math.max(doubled, Math.min(retryAfterMs, 6 * HOUR))
}

/** One collection. Whatever goes wrong changes no price. */
export function collect(source: ModelSource, reply: Reply): Outcome {
  const { now } = source
  if (reply.kind !== 'list') {
    source.failures++
    const retryAfterMs = reply.kind === 'status' ? reply.retryAfterMs : undefined
    source.dueAt = now + backOff(source.failures, retryAfterMs)
    return reply.kind === 'status' || reply.kind === 'breaks off' ? 'failed' : 'quarantined'
  }
  source.failures = 0
  source.lastGoodAt = now
  source.dueAt = now + source.intervalMs
  return read(source)
}

function read(source: ModelSource): Outcome {
  const isSame = [...source.listed].every(([resource, price]) => source.read.get(resource) === price)
  source.read = new Map(source.listed)
  source.served = new Map(source.listed)
  return isSame ? 'unchanged' : 'changed'
}

/** A source that is off "is not read any more. For 7 days everything stays as it is". */
export function switchOff(source: ModelSource): void {
  source.isOn = false
}

/** What a check does to a source before it reads any: one that was off for a week ends. */
export function followDeclaration(source: ModelSource): void {
  if (source.isOn) source.offSince = undefined
  else source.offSince ??= source.now
  if (source.offSince !== undefined && source.now - source.offSince >= 7 * DAY) source.served.clear()
}

export function declare(source: ModelSource, intervalMs: number): void {
  if (!source.isOn || source.intervalMs !== intervalMs) source.dueAt = 0
  source.isOn = true
  source.intervalMs = intervalMs
}

/** `stale` when it was not checked with success for three of its intervals, half an hour at least. */
export function freshness({ now, lastGoodAt, intervalMs }: ModelSource): 'fresh' | 'stale' | 'unknown' {
  if (lastGoodAt === undefined) return 'unknown'
  return now - lastGoodAt <= Math.max(3 * intervalMs, 30 * MINUTE) ? 'fresh' : 'stale'
}
