import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import type { WorkspaceQuota } from './quota-rules.ts'
import { quotaOf, setQuota, type WorkspaceUse, workspaceUses } from './quota-store.ts'
import { lockWorkspace } from './workspace-store.ts'

/** Returns every workspace with what it has and may have at most, oldest first. */
export const listWorkspaceUses = (sql: Sql): Promise<WorkspaceUse[]> => workspaceUses(sql)

/** Returns what operators allow a workspace. */
export const readQuota = (sql: Sql, workspaceId: string): Promise<WorkspaceQuota> => quotaOf(sql, workspaceId)

/**
 * Says what a workspace may have at most. What it has already stays, also where it is more.
 * @throws AppError not_found
 */
export async function changeQuota(sql: Sql, workspaceId: string, quota: WorkspaceQuota): Promise<void> {
  await sql.begin(async (tx) => {
    if (!isId(workspaceId) || !(await lockWorkspace(tx, workspaceId)))
      throw new AppError('not_found', 'This workspace does not exist: it may be deleted already.')
    await setQuota(tx, workspaceId, quota)
    await recordAction(tx, 'quota_changed', { workspaceId, subject: workspaceId, detail: quota })
  })
}
