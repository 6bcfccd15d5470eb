import type { Sql } from '../../lib/sql.ts'
import { type HeldVersion, heldVersions } from '../store/document-store.ts'

export type { HeldVersion } from '../store/document-store.ts'

/** Returns the document versions that are held for review, the oldest first: those with this id and provider. */
export const listHeldVersions = (
  sql: Sql,
  filter: { id?: string; provider?: string } = {},
  limit = 100,
): Promise<HeldVersion[]> => heldVersions(sql, limit, filter)
