import { shownAddress } from '../catalog/address-rules.ts'
import { storeSnapshot } from '../catalog/snapshots/snapshot-store.ts'
import { recordReading } from '../catalog/sources/source-store.ts'
import { fetchSource } from '../collectors/fetch/fetch-source.ts'
import type { FetchResult } from '../collectors/fetch/schema.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { AppError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { oneLine } from '../lib/text.ts'
import { type Claim, withClaim } from './claim.ts'
import { deriveDocumentVersion } from './derive-document.ts'
import { derivePrices } from './derive-prices.ts'
import { deriveWitness } from './derive-witness.ts'
import { recordResult } from './record-result.ts'
import type { CollectLimits, CollectOutcome, CollectTools, SnapshotOutcome } from './schema.ts'

/** A source whose reader died this often is read again only after a wait, or when an operator asks for it. */
const MOST_INTERRUPTIONS = 2
const MAX_PROBLEM_LENGTH = 1_000

/**
 * Collects one source: claims it, fetches it, keeps the snapshot, derives and publishes, records the outcome. Whatever
 * goes wrong is recorded with its reason, and the source waits longer each time; no price changes.
 * @throws when the work was aborted, or when not even the failure could be recorded
 */
export async function collectSource(
  tools: CollectTools,
  source: DeclaredSource,
  now: Instant,
  limits: CollectLimits,
): Promise<CollectOutcome> {
  const outcome = await withClaim(tools.sql, source.source, now, limits.signal, (claim) =>
    collectClaimed(tools, source, claim, now, { ...limits, signal: claim.signal }),
  )
  return outcome ?? skipped(source, 'It is being collected already.')
}

async function collectClaimed(
  tools: CollectTools,
  source: DeclaredSource,
  claim: Claim,
  now: Instant,
  limits: CollectLimits,
): Promise<CollectOutcome> {
  const started = performance.now()
  const record = (result: { fetched?: FetchResult; derived?: SnapshotOutcome; interrupted?: boolean }) =>
    recordResult(tools, source, claim, now, { ...result, durationMs: performance.now() - started })
  if (isQuarantined(claim) && !limits.byOperator)
    return record({ interrupted: true, derived: interruptedTwice(source, claim) })
  try {
    limits.progress?.(`${source.source}: fetching`)
    const fetched = await fetchSource(tools, source, requestOf(source, claim, limits))
    if (fetched.kind === 'failed' && fetched.ours)
      return { ...skipped(source, fetched.problem), unreachable: fetched.unreachable }
    if (fetched.kind === 'failed' && fetched.timedOut && limits.withinCheck)
      return { ...skipped(source, fetched.problem), outcome: 'slow' }
    if (fetched.kind === 'failed') return await record({ fetched })
    limits.progress?.(`${source.source}: reading`)
    return await record({ fetched, derived: await derive(tools, source, claim, now, fetched) })
  } catch (error) {
    if (limits.signal?.aborted) throw error
    if (error instanceof AppError && error.code === 'unavailable') return skipped(source, error.message)
    tools.log.error({ err: error, source: source.source }, 'collecting a source failed')
    const reason = oneLine(error instanceof Error ? error.message : String(error), MAX_PROBLEM_LENGTH)
    return record({ fetched: { kind: 'failed', problem: `Reading it failed, by a fault of Pricetape: ${reason}` } })
  }
}

const isQuarantined = ({ interrupted, state }: Claim) =>
  interrupted !== undefined && state.interruptions >= MOST_INTERRUPTIONS

function interruptedTwice({ source }: DeclaredSource, { interrupted, state }: Claim): SnapshotOutcome {
  const problem =
    `The process that read it ended ${state.interruptions} times before it was done, last since ${interrupted!.since}. ` +
    `It waits; to read it now: npx pricetape source collect ${source}`
  return { outcome: 'quarantined', problem, snapshotHash: interrupted!.snapshotHash }
}

const skipped = ({ source }: DeclaredSource, problem: string): CollectOutcome => ({
  source,
  outcome: 'skipped',
  problem,
  durationMs: 0,
})

function requestOf(source: DeclaredSource, { state }: Claim, { timeoutMs, signal, progress }: CollectLimits) {
  const { etag, lastModified, fetchedUrl: url, snapshotHash } = state
  return {
    known: snapshotHash === undefined ? undefined : { etag, lastModified, url },
    neverRead: url === undefined,
    timeoutMs,
    signal,
    progress: (what: string) => progress?.(`${source.source}: ${what}`),
  }
}

/** Keeps what was fetched, so that an operator has the bytes whatever reading them does, and derives from it. */
async function derive(
  tools: CollectTools,
  source: DeclaredSource,
  claim: Claim,
  now: Instant,
  fetched: FetchResult,
): Promise<SnapshotOutcome> {
  const { sql } = tools
  const { state, signal } = claim
  if (fetched.kind !== 'bytes') return deriveFrom(undefined)
  const { bytes, contentType } = fetched
  const address = fetched.address ?? (source.url && shownAddress(source.url))
  const hash = await storeSnapshot(sql, { bytes, at: now, contentType, address })
  await recordReading(sql, source.source, claim.id, hash)
  return deriveFrom({ hash, bytes, contentType, bundled: fetched.from === 'bundled' })

  function deriveFrom(fresh: Parameters<typeof derivePrices>[4]) {
    if (source.kind === 'terms') return deriveDocumentVersion(tools, source, state, fresh)
    const deriveFor = source.witness ? deriveWitness : derivePrices
    return deriveFor(tools, source, state, now, fresh, signal)
  }
}
