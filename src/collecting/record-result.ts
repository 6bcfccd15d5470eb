import { dueAfterFailure, dueAfterQuarantine, nextDue } from '../catalog/sources/source-rules.ts'
import type { FetchResult } from '../collectors/fetch/schema.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import type { Claim } from './claim.ts'
import { recordFetch } from './record-fetch.ts'
import type { CollectOutcome, CollectTools, SnapshotOutcome } from './schema.ts'

export type Result = { fetched?: FetchResult; derived?: SnapshotOutcome; interrupted?: boolean; durationMs: number }

/** Records the result of a collection, with when the source is due again. */
export async function recordResult(
  tools: CollectTools,
  source: DeclaredSource,
  claim: Claim,
  now: Instant,
  { fetched, derived, interrupted, durationMs }: Result,
): Promise<CollectOutcome> {
  const { state } = claim
  const outcome = derived?.outcome ?? 'failed'
  const isBundled = fetched?.kind === 'bytes' && fetched.from === 'bundled'
  const note = fetched?.kind === 'bytes' ? fetched.note : undefined
  const problem = fetched?.kind === 'failed' ? fetched.problem : (derived?.problem ?? note)
  const http = fetched && 'http' in fetched ? fetched.http : undefined
  const bad = outcome === 'failed' || outcome === 'quarantined'
  const isSame = fetched?.kind === 'unchanged'
  const recorded = await recordFetch(tools.sql, {
    source: source.source,
    claimId: claim.id,
    interrupted,
    at: now,
    outcome,
    confirmed: !bad && !isBundled,
    nextDueAt: dueAt(source, state.failures, now, { fetched, derived, bad: bad || note !== undefined }),
    durationMs,
    snapshotHash: derived?.snapshotHash,
    parserVersion: derived?.parserVersion,
    nextChangeAt: derived?.nextChangeAt as Instant | undefined,
    httpStatus: http?.status,
    headers: http?.headers,
    etag: http?.headers.etag ?? (isSame ? state.etag : undefined),
    lastModified: http?.headers['last-modified'] ?? (isSame ? state.lastModified : undefined),
    fetchedUrl: http ? source.url : undefined,
    problem,
    report: derived?.report,
  })
  if (!recorded) throw new Error(`${source.source} was claimed by another worker`)
  if (problem) tools.log.debug({ source: source.source, outcome, problem }, 'a source needs attention')
  return {
    source: source.source,
    outcome,
    from: fetched?.kind === 'bytes' ? fetched.from : isSame ? 'stored' : undefined,
    problem,
    unreachable: fetched?.kind !== 'unchanged' && fetched?.unreachable,
    published: derived?.published,
    held: derived?.held,
    ignored: derived?.ignored,
    durationMs: Math.round(durationMs),
  }
}

/** After a failure later each time; otherwise after its interval, or sooner when it is known to change. */
function dueAt(
  source: DeclaredSource,
  failures: number,
  now: Instant,
  { fetched, derived, bad }: { fetched?: FetchResult; derived?: SnapshotOutcome; bad: boolean },
): Instant {
  const retryAfterMs = fetched?.kind === 'failed' ? fetched.retryAfterMs : undefined
  if (source.kind === 'terms' && derived?.outcome === 'quarantined')
    return dueAfterQuarantine(now, source.intervalSeconds, failures + 1)
  const due = bad ? dueAfterFailure(now, failures + 1, retryAfterMs) : nextDue(now, source.intervalSeconds)
  if (!derived || derived.outcome === 'quarantined') return due
  const earlier = [due, derived.nextChangeAt, derived.recheckAt].filter((at) => at !== undefined && at > now)
  return earlier.sort()[0] as Instant
}
