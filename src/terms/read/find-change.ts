import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import {
  type DocumentRow,
  documentOf,
  documentVersions,
  sourceOfDocument,
  type VersionEntry,
} from '../store/document-store.ts'
import type { DocumentName } from './list-documents.ts'
import { type ChosenVersions, chooseVersions } from './version-choice-rules.ts'

const MAX_VERSIONS = 1_000

/** A document with the versions that were in force, the newest first, and which two of them are compared. */
export type DocumentChange = ChosenVersions<VersionEntry> & { document: DocumentRow; versions: VersionEntry[] }

/**
 * Finds the versions of a document to compare: the two that are named, or its last change, until an instant where one is
 * named. Only versions that were in force are found.
 * @throws AppError `not_found`
 */
export async function findChange(
  sql: Sql,
  { provider, document: slug }: DocumentName,
  wanted: { from?: string; to?: string; asOf?: Instant },
): Promise<DocumentChange> {
  const source = await sourceOfDocument(sql, provider, slug)
  const document = source && (await documentOf(sql, source))
  if (!document) throw new AppError('not_found', 'There is no such document.')
  const all = await documentVersions(sql, provider, slug, { limit: MAX_VERSIONS })
  const { asOf } = wanted
  const versions = asOf === undefined ? all : all.filter(({ recordedAt }) => recordedAt! <= asOf)
  const chosen = chooseVersions(versions, wanted)
  if (!chosen) throw new AppError('not_found', 'This document has no such version.')
  return { document, versions, ...chosen }
}
