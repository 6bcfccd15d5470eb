import { gunzipSync } from 'node:zlib'
import { publishing } from '../../catalog/clock/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { extractorOf } from '../read/extractor-rules.ts'
import { type DocumentTools, readDocument } from '../read/read-document.ts'
import type { DocumentReading } from '../read/reading.ts'
import type { DocumentOptions } from '../schema.ts'
import { rederive, storedSnapshot, type VersionToRederive, versionsToRederive } from '../store/version-store.ts'

/** Versions read again when the extractor or the selectors change; older ones keep their text. */
const REDERIVED_VERSIONS = 50

/**
 * Reads the kept snapshots of a document again, as the present extractor and selectors would have. It makes no event:
 * the next fetch is compared with what the same extractor makes of the text in force.
 */
export async function rederiveVersions(
  tools: DocumentTools,
  source: SourceDeclaration,
  options: DocumentOptions,
): Promise<number> {
  const extractor = extractorOf(options)
  const versions = await versionsToRederive(tools.sql, source.source, extractor, REDERIVED_VERSIONS)
  const texts: { versionId: string; text: Parameters<typeof rederive>[2] }[] = []
  for (const version of versions) {
    // A version that cannot be read any more keeps its text and its hashes, and is not tried again at every fetch.
    const { markdown, textHash, normalHash } = (await readAgain(tools, version, source, options)) ?? version
    texts.push({ versionId: version.versionId, text: { extractor, markdown, textHash, normalHash } })
  }
  await publishing(tools.sql, async (tx) => {
    for (const { versionId, text } of texts) await rederive(tx, versionId, text)
  })
  return texts.length
}

/** Returns the version's snapshot as it reads now, else its stored text; undefined when neither can be read. */
async function readAgain(
  { sql, isolation }: DocumentTools,
  { snapshotHash, markdown }: VersionToRederive,
  { url }: SourceDeclaration,
  selectors: DocumentOptions,
): Promise<DocumentReading | undefined> {
  const snapshot = await storedSnapshot(sql, snapshotHash)
  const contents = [
    ...(snapshot ? [{ bytes: gunzipSync(snapshot.bytes), contentType: snapshot.contentType, url, selectors }] : []),
    { markdown },
  ]
  for (const content of contents) {
    const reading = await readDocument(isolation, { content })
    if (!('problem' in reading)) return reading
  }
  return undefined
}
