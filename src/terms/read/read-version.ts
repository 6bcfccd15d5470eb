import { AppError } from '../../lib/errors.ts'
import type { Db } from '../../lib/sql.ts'
import { documentOf, documentState, sourceOfDocument, type Version, versionById } from '../store/document-store.ts'
import type { DocumentName } from './list-documents.ts'

/** One version of a document with its readable text, as Markdown. */
export type VersionText = Version & DocumentName & { title: string; url: string }

/**
 * Returns one version with its text.
 * @throws AppError `not_found`
 */
export async function readVersion(db: Db, versionId: string): Promise<VersionText> {
  const version = await versionById(db, versionId)
  const document = version && (await documentOf(db, version.source))
  if (!document) throw new AppError('not_found', 'There is no such version of a document.')
  return { ...version, ...document }
}

/**
 * Returns the text of a document that is in force.
 * @throws AppError `not_found`
 */
export async function readCurrentVersion(db: Db, { provider, document }: DocumentName): Promise<VersionText> {
  const source = await sourceOfDocument(db, provider, document)
  const current = source && (await documentState(db, source)).current
  if (!current) throw new AppError('not_found', `There is no document ${provider}/${document} with a text in force.`)
  return readVersion(db, current.versionId)
}
