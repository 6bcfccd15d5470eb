import type { Sql } from '../../lib/sql.ts'
import { deleteEndedVersions } from './retention-store.ts'

/** Deletes what webhooks wanted before an edit, once no event is matched with it any more. At most `limit` at once. */
export const deleteOldVersions = (sql: Sql, limit: number): Promise<number> => deleteEndedVersions(sql, limit)
