import type { SourceState } from '../catalog/source-store.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { type DocumentReport, documentUnchanged, ingestDocument } from '../terms/ingest/ingest-document.ts'
import type { Snapshot } from './derive-prices.ts'
import type { CollectTools, Derived } from './schema.ts'

/** Ingests a document that was fetched. An answer that nothing changed counts as another fetch of the same text. */
export async function deriveDocumentVersion(
  { sql, publicUrl }: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  fresh: Snapshot | undefined,
): Promise<Derived> {
  const snapshotHash = fresh?.hash ?? state.snapshotHash
  if (snapshotHash === undefined) return { outcome: 'unchanged' }
  const report = fresh
    ? await ingestDocument(sql, { source, snapshotHash, publicUrl, bytes: fresh.bytes, contentType: fresh.contentType })
    : await documentUnchanged(sql, { source, snapshotHash, publicUrl })
  return { ...summary(report), snapshotHash, report }
}

function summary({ outcome, reason, recheckAt }: DocumentReport): Derived {
  if (outcome === 'quarantined') return { outcome, problem: reason }
  const changed = outcome === 'first' || outcome === 'published' || outcome === 'held'
  return { outcome: changed ? 'changed' : 'unchanged', recheckAt, ...(outcome === 'held' && { held: 1 }) }
}
