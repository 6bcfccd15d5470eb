import { recordAction } from '../audit/record-action.ts'
import { isId } from '../lib/ids.ts'
import type { Sql } from '../lib/sql.ts'
import { noWatch } from './edit-watch.ts'
import { deleteWatchRow } from './watch-store.ts'

/** Deletes a watch, with what waits to be mailed of it. @throws AppError not_found */
export async function deleteWatch(sql: Sql, { accountId, watchId }: { accountId: string; watchId: string }) {
  await sql.begin(async (tx) => {
    if (!isId(watchId) || !(await deleteWatchRow(tx, accountId, watchId))) throw noWatch()
    await recordAction(tx, 'watch_deleted', { accountId, subject: watchId })
  })
}
