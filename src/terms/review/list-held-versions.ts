import type { Sql } from '../../lib/sql.ts'
import { type HeldVersion, heldVersions } from '../store/document-store.ts'

export type { HeldVersion } from '../store/document-store.ts'

/** Returns the document versions that are held for review, the oldest first: those with this id and provider. */
export async function listHeldVersions(
  sql: Sql,
  { id, provider }: { id?: string; provider?: string },
  limit: number,
): Promise<HeldVersion[]> {
  const held = await heldVersions(sql, limit)
  return held.filter(
    (version) => (id ?? version.versionId) === version.versionId && (provider ?? version.provider) === version.provider,
  )
}
