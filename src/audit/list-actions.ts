import { isId } from '../lib/ids.ts'
import type { Sql } from '../lib/sql.ts'
import { type AuditEntry, type AuditFilter, entriesOf } from './store.ts'

export type { AuditEntry, AuditFilter } from './store.ts'

const PAGE = 50

/** Returns a page of the audit log, the newest first, and where the next one begins. */
export async function listActions(
  sql: Sql,
  filter: AuditFilter,
): Promise<{ entries: AuditEntry[]; next: string | null }> {
  const ids = [filter.workspaceId, filter.accountId, filter.before].filter((id) => id !== undefined)
  if (!ids.every(isId)) return { entries: [], next: null }
  const found = await entriesOf(sql, filter, PAGE + 1)
  const entries = found.slice(0, PAGE)
  return { entries, next: found.length > PAGE ? entries.at(-1)!.entryId : null }
}
