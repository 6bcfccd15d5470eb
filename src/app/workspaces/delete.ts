import { deleteWorkspace as remove } from '../../accounts/workspaces/delete-workspace.ts'
import { deleteWorkspace } from '../contracts/workspaces.ts'
import { route } from '../route.ts'
import { inPath } from './rename.ts'

/** DELETE /v1/workspaces/{workspaceId}: deletes a workspace without webhooks, with its keys and members. */
export const deleteWorkspaceRoute = route(
  deleteWorkspace,
  async ({ tools, actor: { workspaceId, accountId } }) => {
    await remove(tools.sql, { workspaceId, by: accountId })
  },
  inPath,
)
