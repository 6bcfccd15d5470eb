import { storeSnapshot } from '../src/catalog/snapshot-store.ts'
import type { SourceState } from '../src/catalog/source-store.ts'
import type { DeclaredSource } from '../src/collectors/sources-file.ts'
import type { Instant } from '../src/lib/instant.ts'
import type { Sql } from '../src/lib/sql.ts'
import { type DocumentReport, documentUnchanged, ingestDocument } from '../src/terms/ingest/ingest-document.ts'
import type { Derived } from './collect-outcome.ts'
import type { Snapshot } from './collect-prices.ts'

/** Judges a document that was fetched. An answer that nothing changed counts as another fetch of the same text. */
export async function deriveDocumentVersion(
  sql: Sql,
  source: DeclaredSource,
  state: SourceState,
  now: Instant,
  fresh: Snapshot | undefined,
  publicUrl: string | undefined,
): Promise<Derived> {
  const snapshotHash = fresh
    ? await storeSnapshot(sql, { bytes: fresh.bytes, at: now, contentType: fresh.contentType })
    : state.snapshotHash
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
