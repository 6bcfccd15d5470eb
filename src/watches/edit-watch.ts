import { recordAction } from '../audit/record-action.ts'
import { AppError } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import type { Sql } from '../lib/sql.ts'
import type { WatchPatch, WatchView } from './schema.ts'
import { updateWatch, watchesOf } from './watch-store.ts'

type WatchRef = { accountId: string; watchId: string }

/** Changes how often a watch is mailed and from which change on, pauses it or lets it go on. @throws AppError not_found */
export async function editWatch(sql: Sql, ref: WatchRef, patch: WatchPatch): Promise<WatchView> {
  const { accountId, watchId } = ref
  const watch = await sql.begin(async (tx) => {
    if (!isId(watchId) || !(await updateWatch(tx, ref, patch))) throw noWatch()
    await recordAction(tx, 'watch_changed', { accountId, subject: watchId, detail: patch })
    const [changed] = await watchesOf(tx, accountId, watchId)
    return changed!
  })
  return watch as WatchView
}

export const noWatch = (): AppError => new AppError('not_found', 'There is no such watch, or it is not yours.')
