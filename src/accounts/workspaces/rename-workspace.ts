import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { authorize } from '../members/authorize.ts'
import { readName } from '../name-rules.ts'
import { setWorkspaceName, type Workspace } from './workspace-store.ts'

/**
 * Gives a workspace another name, if `by` is still its admin.
 * @throws AppError invalid_body (field `name`), not_found, forbidden
 */
export async function renameWorkspace(
  sql: Sql,
  { workspaceId, by, ...given }: { workspaceId: string; name: string; by?: string },
): Promise<Workspace> {
  const name = readName(given.name)
  return (await sql.begin(async (tx) => {
    const renamed = await setWorkspaceName(tx, { workspaceId, name })
    if (!renamed) throw new AppError('not_found', 'This workspace does not exist: it may be deleted already.')
    if (by) await authorize(tx, { accountId: by, workspaceId }, 'admin')
    await recordAction(tx, 'workspace_renamed', { accountId: by, workspaceId, detail: { name } })
    return renamed
  })) as Workspace
}
