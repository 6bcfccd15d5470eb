import type { Sql } from '../../lib/sql.ts'
import { type DecidedVersion, decidedVersion, type HeldVersion, heldVersions } from '../store/document-store.ts'

export type { HeldVersion } from '../store/document-store.ts'

/** Returns the document versions that are held for review, the oldest first: those with this id and provider. */
export const listHeldVersions = (
  sql: Sql,
  filter: { id?: string; provider?: string } = {},
  limit = 100,
): Promise<HeldVersion[]> => heldVersions(sql, limit, filter)

/** Returns how a version that was held was decided; undefined while it waits, and when it never was held. */
export const findDecidedVersion = (sql: Sql, versionId: string): Promise<DecidedVersion | undefined> =>
  decidedVersion(sql, versionId)
