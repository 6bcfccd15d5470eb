import { gunzipSync } from 'node:zlib'
import { publishing } from '../../catalog/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Sql } from '../../lib/sql.ts'
import { UnreadableDocument } from '../extract/errors.ts'
import { deriveDocument } from '../extract/extract-document.ts'
import { normalForm } from '../normalize/normal-form-rules.ts'
import type { DocumentOptions } from '../schema.ts'
import { rederive, storedSnapshot, versionsToRederive } from '../store/version-store.ts'

/** Versions read anew when the extractor or the selectors change; older ones keep their text and are compared less. */
const REDERIVED_VERSIONS = 50

type Text = { extractor: string; markdown: string; textHash: string; normalHash: string }

/**
 * Reads the kept snapshots of a document again, as the present extractor and selectors would have. No event comes of it:
 * the next fetch is compared with what the same extractor makes of the text in force.
 */
export async function rederiveVersions(
  sql: Sql,
  source: SourceDeclaration,
  options: DocumentOptions,
  present: { extractor: string },
): Promise<number> {
  const versions = await versionsToRederive(sql, source.source, present.extractor, REDERIVED_VERSIONS)
  const texts: { versionId: string; text: Text }[] = []
  for (const version of versions) {
    const markdown = await again(sql, version.snapshotHash, source, options)
    // A snapshot the new selectors find nothing in keeps its old text, but is not read again at every fetch.
    const text = markdown ?? version.markdown
    const hashes = { textHash: sha256(text), normalHash: sha256(normalForm(text)) }
    texts.push({ versionId: version.versionId, text: { extractor: present.extractor, markdown: text, ...hashes } })
  }
  await publishing(sql, async (tx) => {
    for (const { versionId, text } of texts) await rederive(tx, versionId, text)
  })
  return texts.length
}

async function again(
  sql: Sql,
  snapshotHash: string,
  source: SourceDeclaration,
  options: DocumentOptions,
): Promise<string | undefined> {
  const snapshot = await storedSnapshot(sql, snapshotHash)
  if (!snapshot) return undefined
  try {
    const { contentType } = snapshot
    return (await deriveDocument(gunzipSync(snapshot.bytes), { contentType, url: source.url, options })).markdown
  } catch (error) {
    if (error instanceof UnreadableDocument) return undefined
    throw error
  }
}
