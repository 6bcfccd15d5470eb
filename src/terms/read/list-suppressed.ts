import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { documentVersions } from '../store/document-store.ts'
import type { DocumentName } from './list-documents.ts'
import { storedPlaces, type VolatilePlace } from './volatile-places.ts'

/** What was seen of a document and is no change of it. */
export type Suppressed = {
  /** Parts that are not compared, because they differ at nearly every fetch. */
  places: VolatilePlace[]
  /** Texts that were no event: `cosmetic` said the same in another layout, `expired` was gone before it was confirmed. */
  texts: { at: Instant; status: 'cosmetic' | 'expired'; reasons: string[] }[]
}

const MAX_VERSIONS = 1_000

/** Returns what was suppressed of a document, and why. Texts that wait for a person are none of it. */
export async function listSuppressed(sql: Sql, { provider, document }: DocumentName): Promise<Suppressed> {
  const [places, versions] = await Promise.all([
    storedPlaces(sql, provider, document),
    documentVersions(sql, provider, document, { all: true, limit: MAX_VERSIONS }),
  ])
  const texts = versions.flatMap(({ status, recordedAt, firstSeenAt, reasons }) =>
    status === 'cosmetic' || status === 'expired'
      ? [{ at: recordedAt ?? firstSeenAt, status: status as 'cosmetic' | 'expired', reasons }]
      : [],
  )
  return { places, texts }
}
