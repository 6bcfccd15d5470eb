import { readSnapshot, storeSnapshot } from '../src/catalog/snapshot-store.ts'
import type { SourceState } from '../src/catalog/source-store.ts'
import { collectorFor, type PriceCollector, type PricesRead, SnapshotError } from '../src/collectors/index.ts'
import type { DeclaredSource } from '../src/collectors/sources-file.ts'
import { sha256 } from '../src/lib/hash.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { Sql } from '../src/lib/sql.ts'
import { ingestPrices } from '../src/prices/ingest/ingest-prices.ts'
import { knownSource } from '../src/prices/store/line-state-store.ts'
import { awaitsConfirmation } from '../src/prices/store/waiting-store.ts'
import type { Derived } from './collect-outcome.ts'

export type Snapshot = { bytes: Uint8Array; contentType?: string; bundled?: boolean }

/**
 * Derives prices from a snapshot. An unchanged one is checked and no more, unless it now says something else (a parser
 * that reads it differently, an announced price that has begun) or confirms once more that a price is gone.
 */
export async function derivePrices(
  sql: Sql,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fresh?: Snapshot,
): Promise<Derived> {
  const collector = collectorFor(source.format)
  if (!collector) throw new Error(`no collector reads ${source.format}`)
  const { parserVersion } = collector
  const hash = fresh ? sha256(fresh.bytes) : state.snapshotHash
  const begun = state.nextChangeAt !== undefined && state.nextChangeAt <= now
  const same = hash !== undefined && hash === state.snapshotHash && state.parserVersion === parserVersion
  if (same && !begun && (fresh?.bundled || !(await awaitsConfirmation(sql, source.source))))
    return { outcome: 'unchanged', snapshotHash: hash, parserVersion, nextChangeAt: state.nextChangeAt }
  const bytes = fresh?.bytes ?? (hash && (await readSnapshot(sql, hash)))
  if (!bytes) throw new Error(`${source.source}: nothing changed, but the snapshot at hand is gone`)
  const snapshotHash = await storeSnapshot(sql, { bytes, at: now, contentType: fresh?.contentType })
  let parsed: PricesRead
  try {
    parsed = collector.parse(bytes, { source, at: now })
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    return { outcome: 'quarantined', problem: error.message, snapshotHash, parserVersion }
  }
  await rereadStored(sql, source, collector)
  const report = await ingestPrices(sql, { source, snapshotHash, parserVersion, parsed })
  const held = Object.values(report.held).reduce((sum, count) => sum + count, 0)
  const { published, quarantined } = report
  const moved = published + held + report.resourcesRemoved + report.resourcesRenamed > 0
  return {
    outcome: quarantined ? 'quarantined' : moved ? 'changed' : 'unchanged',
    problem: quarantined?.message,
    snapshotHash,
    parserVersion,
    nextChangeAt: parsed.nextChangeAt,
    published,
    held,
    ignored: parsed.ignored,
    report: { ...report, ignored: parsed.ignored },
  }
}

/**
 * Takes the snapshot at hand in once more, without events, when a newer parser reads it now: what the parsers read
 * differently never looks like news of the next snapshot. It is read as of when it was taken in, so that a price
 * which has begun since is news.
 */
async function rereadStored(sql: Sql, source: DeclaredSource, collector: PriceCollector): Promise<void> {
  const { parserVersion } = collector
  const stored = await knownSource(sql, source.source)
  if (!stored?.ingestedHash || !stored.ingestedAt || stored.ingestedParser === parserVersion) return
  const bytes = await readSnapshot(sql, stored.ingestedHash)
  if (!bytes) return
  try {
    const parsed = collector.parse(bytes, { source, at: stored.ingestedAt })
    await ingestPrices(sql, { source, snapshotHash: stored.ingestedHash, parserVersion, parsed })
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
  }
}
