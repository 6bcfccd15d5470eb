import { recordFacts } from '../catalog/facts/record-facts.ts'
import { readSnapshot } from '../catalog/snapshots/snapshot-store.ts'
import type { SourceState } from '../catalog/sources/source-store.ts'
import type { PricesSummary } from '../collectors/read-prices.task.ts'
import { type ReadSnapshot, readPrices } from '../collectors/read-prices.ts'
import { OTHER_AGAIN, SAME_AGAIN } from '../collectors/reading/observations.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import { isNeeded } from '../prices/authority/authority-store.ts'
import { confirmPrices, recheckAt } from '../prices/ingest/confirm-prices.ts'
import { ingestStaged } from '../prices/ingest/ingest-prices.ts'
import { dropDeadStagings, type StagedSnapshot, withStagedPrices } from '../prices/staging/stage-prices.ts'
import type { Write } from '../prices/staging/staging-store.ts'
import { knownSource } from '../prices/store/line-state-store.ts'
import type { CollectTools, SnapshotOutcome } from './schema.ts'
import { bytesAtHand, type Snapshot, snapshotAtHand } from './snapshot-at-hand.ts'

/**
 * Derives prices from a snapshot. An unchanged one is checked and no more, unless it now says something else (a parser
 * that reads it differently, an announced price that has begun) or confirms what a line was waiting for.
 */
export async function derivePrices(
  tools: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fresh?: Snapshot,
  signal?: AbortSignal,
): Promise<SnapshotOutcome> {
  const { sql } = tools
  const atHand = snapshotAtHand(source, state, now, fresh)
  const { parserVersion } = atHand
  const isKnown = atHand.isRead && !(await isNeeded(sql, source.source, now))
  if (isKnown && (fresh?.bundled || !(await confirmPrices(sql, source.source, now)).due))
    return {
      outcome: 'unchanged',
      snapshotHash: atHand.snapshotHash,
      parserVersion,
      nextChangeAt: state.nextChangeAt,
      recheckAt: await recheckAt(sql, source.source, now),
    }
  const { bytes, snapshotHash } = await bytesAtHand(sql, source, atHand.snapshotHash, fresh)
  await dropDeadStagings(sql, source.source)
  return readAndIngest(tools, source, { snapshotHash, parserVersion, bytes }, now, signal)
}

type Reading = { snapshotHash: string; parserVersion: number; bytes: Uint8Array }

async function readAndIngest(
  tools: CollectTools,
  source: DeclaredSource,
  reading: Reading,
  now: Instant,
  signal?: AbortSignal,
): Promise<SnapshotOutcome> {
  const { sql, log } = tools
  const { snapshotHash, parserVersion } = reading
  try {
    return await withReadPrices(tools, source, { ...reading, at: now, signal }, async (staged, prices) => {
      await reingestStored(tools, source, parserVersion, signal)
      const { providers, announced, suppressed } = prices
      const report = await ingestStaged(sql, {
        source,
        snapshotHash,
        parserVersion,
        parsed: { providers, announced },
        staged,
        suppressed,
      })
      if (!report.quarantined) await recordFacts(sql, source.source, prices.facts ?? [])
      const held = Object.values(report.held).reduce((sum, count) => sum + count, 0)
      const { published, quarantined } = report
      const announcements = report.events['price.announced'] ?? 0
      const changed = published + held + report.resourcesRemoved + report.resourcesRenamed + announcements > 0
      const ignored = [...prices.ignored, ...ignoredDuplicates(staged.duplicates)]
      return {
        outcome: quarantined ? 'quarantined' : changed ? 'changed' : 'unchanged',
        problem: quarantined?.message,
        snapshotHash,
        parserVersion,
        nextChangeAt: prices.nextChangeAt,
        recheckAt: await recheckAt(sql, source.source, now),
        published,
        held,
        ignored,
        report: { ...report, ignored },
      }
    })
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    const { problem, fault } = error.read
    if (fault) log.error({ err: fault, source: source.source }, 'reading a price list failed')
    return { outcome: 'quarantined', problem, snapshotHash, parserVersion }
  }
}

/** Ends the staging of a snapshot that cannot be read. */
class UnreadableError extends Error {
  readonly read: Extract<ReadSnapshot, { kind: 'unreadable' }>
  constructor(read: Extract<ReadSnapshot, { kind: 'unreadable' }>) {
    super(read.problem)
    this.read = read
  }
}

type ReadOptions = { bytes: Uint8Array; at: Instant; signal?: AbortSignal }

/** Reads a snapshot into a staging table. @throws UnreadableError */
function withReadPrices<T>(
  { sql, isolation }: CollectTools,
  source: DeclaredSource,
  { bytes, at, signal }: ReadOptions,
  work: (staged: StagedSnapshot, prices: PricesSummary) => Promise<T>,
): Promise<T> {
  const produce = async (write: Write) => {
    const read = await readPrices(isolation, { source, bytes, at }, { write, signal })
    if (read.kind === 'unreadable') throw new UnreadableError(read)
    return read.prices
  }
  return withStagedPrices(sql, source.source, produce, work)
}

/** Lines that a snapshot has more than once, as what was ignored of it. */
const ignoredDuplicates = ({ same, other }: StagedSnapshot['duplicates']) => [
  ...(same ? [{ reason: SAME_AGAIN, ...same }] : []),
  ...(other ? [{ reason: OTHER_AGAIN, ...other }] : []),
]

/**
 * Ingests the snapshot at hand once more, without events, when a newer parser reads it now: what the parsers read
 * differently never looks like news of the next snapshot. It is read as of when it was ingested, so that a price
 * which has begun since is news. A snapshot that the newer parser does not read is left as it was.
 */
async function reingestStored(
  tools: CollectTools,
  source: DeclaredSource,
  parserVersion: number,
  signal?: AbortSignal,
): Promise<void> {
  const { sql } = tools
  const stored = await knownSource(sql, source.source)
  if (!stored?.ingestedHash || !stored.ingestedAt || stored.ingestedParser === parserVersion) return
  const bytes = await readSnapshot(sql, stored.ingestedHash)
  if (!bytes) return
  const snapshotHash = stored.ingestedHash
  try {
    await withReadPrices(tools, source, { bytes, at: stored.ingestedAt, signal }, (staged, prices) => {
      const { providers, announced, suppressed } = prices
      const parsed = { providers, announced }
      return ingestStaged(sql, { source, snapshotHash, parserVersion, parsed, staged, suppressed })
    })
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
  }
}
