import { foundWorkspace } from '../../accounts/members/found-workspace.ts'
import { listMemberships } from '../../accounts/members/list-members.ts'
import { deleteWorkspace as remove } from '../../accounts/workspaces/delete-workspace.ts'
import { renameWorkspace as rename } from '../../accounts/workspaces/rename-workspace.ts'
import type { Locate } from '../access.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

/** The workspace that the path names. */
const inPath: Locate = {
  find: async (_sql, { params }) => (params as { workspaceId: string }).workspaceId,
  missing: 'There is no such workspace, or you do not belong to it.',
}

export const workspacesRoutes: AppRoute[] = [
  /** GET /v1/workspaces: those the account belongs to. */
  route(contracts.listWorkspaces, async ({ tools, actor }) => ({
    workspaces: await listMemberships(tools.sql, actor.accountId),
  })),

  /** POST /v1/workspaces: a new workspace, with the account as its admin. */
  route(contracts.createWorkspace, async ({ tools, actor, body }) => ({
    workspace: await foundWorkspace(tools.sql, actor, body),
  })),

  /** DELETE /v1/workspaces/{workspaceId}: deletes a workspace without webhooks, with its keys and members. */
  route(
    contracts.deleteWorkspace,
    async ({ tools, actor: { workspaceId, accountId } }) => {
      await remove(tools.sql, { workspaceId, by: accountId })
    },
    inPath,
  ),

  /** PATCH /v1/workspaces/{workspaceId}: gives a workspace another name. */
  route(
    contracts.renameWorkspace,
    async ({ tools, actor: { workspaceId, accountId }, body }) => ({
      workspace: await rename(tools.sql, { workspaceId, name: body.name, by: accountId }),
    }),
    inPath,
  ),
]
