import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import {
  type DocumentSummary,
  documentSummaries,
  documentVersions,
  type VersionEntry,
} from '../store/document-store.ts'

export type { DocumentSummary, VersionEntry } from '../store/document-store.ts'

/** A document as commands and addresses name it. */
export type DocumentName = { provider: string; document: string }

/**
 * Returns every document with its text in force, how many versions it had, and what waits: those of one provider, now or
 * at an instant.
 */
export const listDocuments = (
  sql: Sql,
  filter: { provider?: string; asOf?: Instant } = {},
): Promise<DocumentSummary[]> => documentSummaries(sql, filter)

/** Returns a document's versions, the newest first: those that were in force, and with `all` the others too. */
export const listVersions = (
  sql: Sql,
  { provider, document }: DocumentName,
  options: { all?: boolean; limit?: number } = {},
): Promise<VersionEntry[]> => documentVersions(sql, provider, document, options)
