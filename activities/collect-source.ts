import { dueAfterFailure, nextDue } from '../src/catalog/source-rules.ts'
import { claimSource, recordFetch, releaseSource, type SourceState } from '../src/catalog/source-store.ts'
import { type Fetched, type FetchTools, fetchSource } from '../src/collectors/fetch/fetch-source.ts'
import type { DeclaredSource } from '../src/collectors/sources-file.ts'
import { type Instant, MINUTE, plus } from '../src/lib/instant.ts'
import type { Log } from '../src/lib/log.ts'
import type { Sql } from '../src/lib/sql.ts'
import { deriveDocumentVersion } from './collect-document.ts'
import type { CollectOutcome, Derived } from './collect-outcome.ts'
import { derivePrices } from './collect-prices.ts'

export type CollectTools = FetchTools & { sql: Sql; log: Log; publicUrl?: string }

export type CollectLimits = {
  timeoutMs: number
  /** The limit is what is left of a check: what takes longer is slow, not broken. */
  borrowed?: boolean
  signal?: AbortSignal
  progress?: (what: string) => void
}

/** For reading, checking and publishing, after the fetch has ended. */
const CLAIM_MARGIN_MS = 10 * MINUTE

/**
 * Collects one source: fetch, snapshot, parse, publish or hold, and a line in its log. What goes wrong with the source
 * is recorded and waits longer each time; no price changes. Throws only for faults of ours, with the source given back.
 */
export async function collectOne(
  tools: CollectTools,
  source: DeclaredSource,
  now: Instant,
  limits: CollectLimits,
): Promise<CollectOutcome> {
  const started = performance.now()
  const state = await claimSource(tools.sql, source.source, now, plus(now, limits.timeoutMs + CLAIM_MARGIN_MS))
  if (!state) return skipped(source, 'It is being collected already.')
  try {
    limits.progress?.(`${source.source}: asking`)
    const fetched = await fetchSource(tools, source, requestOf(source, state, limits))
    if (fetched.kind === 'failed' && (fetched.ours || (fetched.timedOut && limits.borrowed))) {
      await releaseSource(tools.sql, source.source)
      return { ...skipped(source, fetched.problem), outcome: fetched.ours ? 'skipped' : 'slow' }
    }
    limits.progress?.(`${source.source}: reading`)
    const derived = fetched.kind === 'failed' ? undefined : await derive(tools, source, state, now, fetched)
    return await settle(tools, source, state, now, fetched, derived, performance.now() - started)
  } catch (error) {
    await releaseSource(tools.sql, source.source)
    throw error
  }
}

const skipped = ({ source }: DeclaredSource, problem: string): CollectOutcome => ({
  source,
  outcome: 'skipped',
  problem,
  durationMs: 0,
})

function requestOf(source: DeclaredSource, state: SourceState, { timeoutMs, signal, progress }: CollectLimits) {
  const { etag, lastModified, fetchedUrl: url, snapshotHash } = state
  return {
    known: snapshotHash === undefined ? undefined : { etag, lastModified, url },
    neverHeard: url === undefined,
    timeoutMs,
    signal,
    progress: (what: string) => progress?.(`${source.source}: ${what}`),
  }
}

function derive(
  tools: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fetched: Fetched,
): Promise<Derived> {
  const { sql, publicUrl } = tools
  const fresh =
    fetched.kind === 'bytes'
      ? { bytes: fetched.bytes, contentType: fetched.contentType, bundled: fetched.from === 'bundled' }
      : undefined
  if (source.kind === 'terms') return deriveDocumentVersion(sql, source, state, now, fresh, publicUrl)
  return derivePrices(sql, source, state, now, fresh)
}

/** Records how it went and says when it is due again. */
async function settle(
  tools: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fetched: Fetched,
  derived: Derived | undefined,
  durationMs: number,
): Promise<CollectOutcome> {
  const note = fetched.kind === 'bytes' ? fetched.note : undefined
  const outcome = derived?.outcome ?? 'failed'
  const problem = fetched.kind === 'failed' ? fetched.problem : (derived?.problem ?? note)
  const http = 'http' in fetched ? fetched.http : undefined
  const bad = outcome === 'failed' || outcome === 'quarantined'
  const retryAfterMs = fetched.kind === 'failed' ? fetched.retryAfterMs : undefined
  const due =
    bad || note ? dueAfterFailure(now, state.failures + 1, retryAfterMs) : nextDue(now, source.intervalSeconds)
  const sooner = [due, derived?.nextChangeAt, derived?.recheckAt].filter(
    (at) => at !== undefined && at > now,
  ) as Instant[]
  const headers = http?.headers
  const same = fetched.kind === 'unchanged'
  await recordFetch(tools.sql, {
    source: source.source,
    at: now,
    outcome,
    confirmed: !bad && !(fetched.kind === 'bytes' && fetched.from === 'bundled'),
    nextDueAt: bad ? due : sooner.sort()[0]!,
    durationMs,
    snapshotHash: derived?.snapshotHash,
    parserVersion: derived?.parserVersion,
    nextChangeAt: derived?.nextChangeAt as Instant | undefined,
    httpStatus: http?.status,
    headers,
    etag: headers?.etag ?? (same ? state.etag : undefined),
    lastModified: headers?.['last-modified'] ?? (same ? state.lastModified : undefined),
    fetchedUrl: http ? source.url : undefined,
    problem,
    report: derived?.report,
  })
  if (problem) tools.log.debug({ source: source.source, outcome, problem }, 'a source needs attention')
  return {
    source: source.source,
    outcome,
    from: fetched.kind === 'bytes' ? fetched.from : fetched.kind === 'unchanged' ? 'stored' : undefined,
    problem,
    published: derived?.published,
    held: derived?.held,
    ignored: derived?.ignored,
    durationMs: Math.round(durationMs),
  }
}
