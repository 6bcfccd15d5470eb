import type { Sql } from '../../lib/sql.ts'
import { newestServedOf, type StoredRow, servedHashesOf, storedRows } from '../store/row-store.ts'

/** Rows of a resource that are shown to an operator who corrects one. */
const MOST_ROWS = 200

/** A row that is or was served. `newest`: its price is the one that is served for its line. */
export type ResourceRow = StoredRow & { newest: boolean }

/** Returns the newest rows of a resource that are or were served, the newest first. */
export async function listResourceRows(
  sql: Sql,
  resource: { provider: string; resource: string },
): Promise<ResourceRow[]> {
  const hashes = await servedHashesOf(sql, resource, MOST_ROWS)
  const rows = await storedRows(sql, hashes)
  const served = await newestServedOf(sql, [...new Set(rows.map(({ lineId }) => lineId))])
  return rows
    .map((row) => ({ ...row, newest: served.get(row.lineId) === row.contentHash }))
    .sort((a, b) => hashes.indexOf(a.contentHash) - hashes.indexOf(b.contentHash))
}
