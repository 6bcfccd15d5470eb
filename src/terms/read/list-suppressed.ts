import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { documentVersions } from '../store/document-store.ts'
import type { DocumentName } from './list-documents.ts'

/** Texts that were not an event: `cosmetic` said the same in another layout, `expired` was gone before it was confirmed. */
export type SuppressedText = { at: Instant; status: 'cosmetic' | 'expired'; reasons: string[] }

const MAX_VERSIONS = 1_000

/** Returns what was suppressed of a document, and why. Texts that wait for a person are none of it. */
export async function listSuppressed(sql: Sql, { provider, document }: DocumentName): Promise<SuppressedText[]> {
  const versions = await documentVersions(sql, provider, document, { all: true, limit: MAX_VERSIONS })
  return versions.flatMap(({ status, recordedAt, firstSeenAt, reasons }) =>
    status === 'cosmetic' || status === 'expired'
      ? [{ at: recordedAt ?? firstSeenAt, status: status as 'cosmetic' | 'expired', reasons }]
      : [],
  )
}
