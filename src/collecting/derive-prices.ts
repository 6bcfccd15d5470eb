import { readSnapshot } from '../catalog/snapshot-store.ts'
import type { SourceState } from '../catalog/source-store.ts'
import { collectorFor } from '../collectors/index.ts'
import { parsePrices } from '../collectors/parse-prices.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import { confirmPrices, recheckAt } from '../prices/ingest/confirm-prices.ts'
import { ingestPrices } from '../prices/ingest/ingest-prices.ts'
import { dropDeadStagings } from '../prices/staging/stage-prices.ts'
import { knownSource } from '../prices/store/line-state-store.ts'
import type { CollectTools, Derived } from './schema.ts'

/** A snapshot that was just fetched and is kept. */
export type Snapshot = { hash: string; bytes: Uint8Array; contentType?: string; bundled?: boolean }

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
): Promise<Derived> {
  const { sql, isolation } = tools
  const parserVersion = parserVersionOf(source)
  const snapshotHash = fresh?.hash ?? state.snapshotHash
  const begun = state.nextChangeAt !== undefined && state.nextChangeAt <= now
  const same =
    snapshotHash !== undefined && snapshotHash === state.snapshotHash && state.parserVersion === parserVersion
  if (same && !begun && (fresh?.bundled || !(await confirmPrices(sql, source.source, now)).due))
    return {
      outcome: 'unchanged',
      snapshotHash,
      parserVersion,
      nextChangeAt: state.nextChangeAt,
      recheckAt: await recheckAt(sql, source.source, now),
    }
  const bytes = fresh?.bytes ?? (snapshotHash && (await readSnapshot(sql, snapshotHash)))
  if (!bytes || !snapshotHash) throw new Error(`${source.source}: nothing changed, but the snapshot at hand is gone`)
  await dropDeadStagings(sql, source.source)
  const read = await parsePrices(isolation, { source, bytes, at: now }, signal)
  if (read.kind === 'unreadable') {
    if (read.fault) tools.log.error({ err: read.fault, source: source.source }, 'reading a price list failed')
    return { outcome: 'quarantined', problem: read.problem, snapshotHash, parserVersion }
  }
  await reingestStored(tools, source, parserVersion, signal)
  const { prices } = read
  const report = await ingestPrices(sql, { source, snapshotHash, parserVersion, parsed: prices })
  const held = Object.values(report.held).reduce((sum, count) => sum + count, 0)
  const { published, quarantined } = report
  const changed = published + held + report.resourcesRemoved + report.resourcesRenamed > 0
  return {
    outcome: quarantined ? 'quarantined' : changed ? 'changed' : 'unchanged',
    problem: quarantined?.message,
    snapshotHash,
    parserVersion,
    nextChangeAt: prices.nextChangeAt,
    recheckAt: await recheckAt(sql, source.source, now),
    published,
    held,
    ignored: prices.ignored,
    report: { ...report, ignored: prices.ignored },
  }
}

function parserVersionOf({ format }: DeclaredSource): number {
  const collector = collectorFor(format)
  if (!collector) throw new Error(`no collector reads ${format}`)
  return collector.parserVersion
}

/**
 * Ingests the snapshot at hand once more, without events, when a newer parser reads it now: what the parsers read
 * differently never looks like news of the next snapshot. It is read as of when it was ingested, so that a price
 * which has begun since is news. A snapshot that the newer parser does not read is left as it was.
 */
async function reingestStored(
  { sql, isolation }: CollectTools,
  source: DeclaredSource,
  parserVersion: number,
  signal?: AbortSignal,
): Promise<void> {
  const stored = await knownSource(sql, source.source)
  if (!stored?.ingestedHash || !stored.ingestedAt || stored.ingestedParser === parserVersion) return
  const bytes = await readSnapshot(sql, stored.ingestedHash)
  if (!bytes) return
  const read = await parsePrices(isolation, { source, bytes, at: stored.ingestedAt }, signal)
  if (read.kind === 'unreadable') return
  await ingestPrices(sql, { source, snapshotHash: stored.ingestedHash, parserVersion, parsed: read.prices })
}
