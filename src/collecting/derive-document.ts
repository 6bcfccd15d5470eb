import type { SourceState } from '../catalog/sources/source-store.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { ingestDocument } from '../terms/ingest/ingest-document.ts'
import { ingestUnchanged } from '../terms/ingest/ingest-unchanged.ts'
import type { DocumentReport } from '../terms/schema.ts'
import type { CollectTools, SnapshotOutcome } from './schema.ts'
import type { Snapshot } from './snapshot-at-hand.ts'

/** Ingests a document that was fetched. An answer that nothing changed counts as another fetch of the same text. */
export async function deriveDocumentVersion(
  tools: CollectTools,
  source: DeclaredSource,
  state: SourceState,
  fresh: Snapshot | undefined,
): Promise<SnapshotOutcome> {
  const { pagesUrl } = tools
  const snapshotHash = fresh?.hash ?? state.snapshotHash
  if (snapshotHash === undefined) return { outcome: 'unchanged' }
  const report = fresh
    ? await ingestDocument(tools, {
        source,
        snapshotHash,
        pagesUrl,
        bytes: fresh.bytes,
        contentType: fresh.contentType,
      })
    : await ingestUnchanged(tools, { source, snapshotHash, pagesUrl })
  return { ...summary(report), snapshotHash, report }
}

function summary({ outcome, reason, recheckAt }: DocumentReport): SnapshotOutcome {
  if (outcome === 'quarantined') return { outcome, problem: reason }
  const changed = outcome === 'first' || outcome === 'published' || outcome === 'held'
  return { outcome: changed ? 'changed' : 'unchanged', recheckAt, ...(outcome === 'held' && { held: 1 }) }
}
