import type { Sql } from '../lib/sql.ts'
import { deleteLinks } from './link-store.ts'
import { LINK_KEPT_MS } from './watch-rules.ts'

/** Deletes the links of mails that were sent long ago. At most `limit`; returns how many. */
export const deleteOldLinks = (sql: Sql, limit: number): Promise<number> => deleteLinks(sql, LINK_KEPT_MS, limit)
