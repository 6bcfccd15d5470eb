import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { keyIdsOf } from '../keys/api-key-store.ts'
import { untilLeasesEnd } from '../limits/until-leases-end.ts'
import { authorize } from '../members/authorize.ts'
import { lockWorkspaces, removeWorkspace } from './workspace-store.ts'

/**
 * Deletes a workspace with its keys. The last one stays: an installation without any counts as not prepared. `by` is the
 * admin who wants it; the role is read under the lock.
 * @throws AppError not_found; workspace_in_use when it has webhooks or is the last one
 */
export async function deleteWorkspace(
  sql: Sql,
  { workspaceId, by }: { workspaceId: string; by?: string },
): Promise<void> {
  const keyIds = await sql.begin(async (tx) => {
    const existing = await lockWorkspaces(tx)
    if (!existing.has(workspaceId)) {
      throw new AppError('not_found', 'This workspace does not exist: it may be deleted already.')
    }
    if (by) await authorize(tx, { accountId: by, workspaceId }, 'admin')
    if (existing.size === 1) {
      throw new AppError('workspace_in_use', 'This is the only workspace: create another one first.')
    }
    const keyIds = await keyIdsOf(tx, workspaceId)
    if (!(await removeWorkspace(tx, workspaceId))) {
      throw new AppError('workspace_in_use', 'This workspace has webhooks: delete them first.')
    }
    await recordAction(tx, 'workspace_deleted', { accountId: by, workspaceId, subject: workspaceId })
    return keyIds
  })
  await untilLeasesEnd(sql, keyIds)
}
