import { renameWorkspace as rename } from '../../accounts/workspaces/rename-workspace.ts'
import type { Locate } from '../access.ts'
import { renameWorkspace } from '../contracts/workspaces.ts'
import { route } from '../route.ts'

/** The workspace that the path names. */
export const inPath: Locate = {
  find: async (_sql, { params }) => (params as { workspaceId: string }).workspaceId,
  missing: 'There is no such workspace, or you do not belong to it.',
}

/** PATCH /v1/workspaces/{workspaceId}: gives a workspace another name. */
export const renameWorkspaceRoute = route(
  renameWorkspace,
  async ({ tools, actor: { workspaceId, accountId }, body }) => ({
    workspace: await rename(tools.sql, { workspaceId, name: body.name, by: accountId }),
  }),
  inPath,
)
