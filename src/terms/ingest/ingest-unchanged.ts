import { gunzipSync } from 'node:zlib'
import type { DocumentTools } from '../read/read-document.ts'
import type { DocumentReport } from '../schema.ts'
import { storedSnapshot } from '../store/version-store.ts'
import { type FetchedDocument, ingestDocument } from './ingest-document.ts'

/** Counts an answer that nothing changed since a snapshot as another fetch of that snapshot. */
export async function ingestUnchanged(
  tools: DocumentTools,
  fetched: Pick<FetchedDocument, 'source' | 'snapshotHash' | 'at' | 'pagesUrl'>,
): Promise<DocumentReport> {
  const snapshot = await storedSnapshot(tools.sql, fetched.snapshotHash)
  if (!snapshot) return { outcome: 'unchanged' }
  const { bytes, contentType } = snapshot
  return ingestDocument(tools, { ...fetched, bytes: gunzipSync(bytes), contentType })
}
