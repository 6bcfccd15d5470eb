import type { SourceState } from '../catalog/sources/source-store.ts'
import { parsePrices } from '../collectors/parse-prices.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { recordWitnessPrices } from '../prices/witness/record-witness-prices.ts'
import type { CollectTools, SnapshotOutcome } from './schema.ts'
import { bytesAtHand, type Snapshot, snapshotAtHand } from './snapshot-at-hand.ts'

/** Records what a witness source shows. An unchanged snapshot is read again only when it now says something else. */
export async function deriveWitness(
  { sql, isolation }: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fresh?: Snapshot,
  signal?: AbortSignal,
): Promise<SnapshotOutcome> {
  const atHand = snapshotAtHand(source, state, now, fresh)
  const { parserVersion } = atHand
  if (atHand.isRead)
    return { outcome: 'unchanged', snapshotHash: atHand.snapshotHash, parserVersion, nextChangeAt: state.nextChangeAt }
  const { bytes, snapshotHash } = await bytesAtHand(sql, source, atHand.snapshotHash, fresh)
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
