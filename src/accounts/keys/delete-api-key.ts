import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { untilLeasesEnd } from '../limits/until-leases-end.ts'
import { authorize } from '../members/authorize.ts'
import { removeApiKey } from './api-key-store.ts'

/**
 * Deletes a key of this workspace. When this returns, every node refuses it: tokens that one holds of it are waited for.
 * @throws AppError not_found
 */
export async function deleteApiKey(
  sql: Sql,
  { by, ...key }: { workspaceId: string; keyId: string; by?: string },
): Promise<void> {
  const removed = await sql.begin(async (tx) => {
    if (!(await removeApiKey(tx, key))) return false
    if (by) await authorize(tx, { accountId: by, workspaceId: key.workspaceId }, 'member')
    await recordAction(tx, 'key_deleted', { accountId: by, workspaceId: key.workspaceId, subject: key.keyId })
    return true
  })
  if (removed) return await untilLeasesEnd(sql, [key.keyId])
  throw new AppError('not_found', 'This API key does not exist: it may be deleted already.')
}
