import { foundWorkspace } from '../../accounts/members/found-workspace.ts'
import { createWorkspace } from '../contracts/workspaces.ts'
import { route } from '../route.ts'

/** POST /v1/workspaces: a new workspace, with the account as its admin. */
export const createWorkspaceRoute = route(createWorkspace, async ({ tools, actor, body }) => ({
  workspace: await foundWorkspace(tools.sql, actor, body),
}))
