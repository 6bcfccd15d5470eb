import { isId } from '../lib/ids.ts'
import type { Sql } from '../lib/sql.ts'
import { type AuditEntry, type AuditFilter, entriesOf } from './store.ts'

export type { AuditEntry, AuditFilter } from './store.ts'

const PAGE = 50
/** A page of this size is for files. */
export const MAX_ENTRIES = 1_000

/** Returns a page of the audit log, the newest first, and where the next one begins. */
export async function listActions(
  sql: Sql,
  { limit = PAGE, ...filter }: AuditFilter & { limit?: number },
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const ids = [filter.workspaceId, filter.accountId, filter.before].filter((id) => id !== undefined)
  if (!ids.every(isId)) return { entries: [], next: null }
  const found = await entriesOf(sql, filter, limit + 1)
  const entries = found.slice(0, limit)
  return { entries, next: found.length > limit ? entries.at(-1)!.entryId : null }
}
