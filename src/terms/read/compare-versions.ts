import { AppError } from '../../lib/errors.ts'
import { type DocumentEntry, documentOf, documentState, type Version, versionById } from '../store/document-store.ts'
import { compareSideBySide, type DocumentTools } from './read-document.ts'
import type { VersionsSideBySide } from './reading.ts'

type Side = Omit<Version, 'markdown'>
export type VersionDifference = VersionsSideBySide & {
  document: Pick<DocumentEntry, 'doc' | 'title' | 'url'> & { provider: string }
  before: Side
  after: Side
}

/**
 * Returns two versions of one document side by side, and what changed between them.
 * @throws AppError `not_found` when there is no such version, or they are of two documents; `invalid_query` when one of
 *   them cannot be read
 */
export async function compareVersions(
  { sql, isolation }: DocumentTools,
  beforeId: string,
  afterId: string,
): Promise<VersionDifference> {
  const before = await versionById(sql, beforeId)
  const after = await versionById(sql, afterId)
  if (!before || !after || before.source !== after.source)
    throw new AppError('not_found', 'There are no two such versions of one document.')
  const { document, title, url, provider } = (await documentOf(sql, after.source))!
  const compared = await compareSideBySide(isolation, { before, after })
  if ('problem' in compared)
    throw new AppError('invalid_query', `The versions cannot be compared: ${compared.problem}.`)
  const side = ({ markdown: _, ...rest }: Version): Side => rest
  return { document: { doc: document, title, url, provider }, before: side(before), after: side(after), ...compared }
}

/**
 * Compares a version that waits for a review with the text in force. Returns undefined while the document has none.
 * @throws AppError as {@link compareVersions}
 */
export async function compareWithCurrent(
  tools: DocumentTools,
  versionId: string,
): Promise<VersionDifference | undefined> {
  const version = await versionById(tools.sql, versionId)
  if (!version) throw new AppError('not_found', 'There is no such version of a document.')
  const { current } = await documentState(tools.sql, version.source)
  return current && compareVersions(tools, current.versionId, versionId)
}
