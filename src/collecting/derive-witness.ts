import { readSnapshot } from '../catalog/snapshot-store.ts'
import type { SourceState } from '../catalog/source-store.ts'
import { collectorFor } from '../collectors/index.ts'
import { parsePrices } from '../collectors/parse-prices.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { recordWitnessPrices } from '../prices/witness/record-witness-prices.ts'
import type { Snapshot } from './derive-prices.ts'
import type { CollectTools, Derived } from './schema.ts'

/** Records what a witness source shows. An unchanged snapshot is read again only when it now says something else. */
export async function deriveWitness(
  { sql, isolation }: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fresh?: Snapshot,
  signal?: AbortSignal,
): Promise<Derived> {
  const { parserVersion } = collectorFor(source.format)!
  const snapshotHash = fresh?.hash ?? state.snapshotHash
  const begun = state.nextChangeAt !== undefined && state.nextChangeAt <= now
  if (snapshotHash === state.snapshotHash && state.parserVersion === parserVersion && !begun)
    return { outcome: 'unchanged', snapshotHash, parserVersion, nextChangeAt: state.nextChangeAt }
  const bytes = fresh?.bytes ?? (snapshotHash && (await readSnapshot(sql, snapshotHash)))
  if (!bytes || !snapshotHash) throw new Error(`${source.source}: nothing changed, but the snapshot at hand is gone`)
  const read = await parsePrices(isolation, { source, bytes, at: now }, signal)
  if (read.kind === 'unreadable') return { outcome: 'quarantined', problem: read.problem, snapshotHash, parserVersion }
  const { prices } = read
  try {
    const report = await recordWitnessPrices(sql, { source, snapshotHash, parserVersion, parsed: prices })
    const { ignored, nextChangeAt } = prices
    const outcome = report.changed > 0 ? 'changed' : 'unchanged'
    return { outcome, snapshotHash, parserVersion, nextChangeAt, ignored, report: { ...report, ignored } }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { outcome: 'quarantined', problem: error.message, snapshotHash, parserVersion }
  }
}
