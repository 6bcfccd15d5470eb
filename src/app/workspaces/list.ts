import { listMemberships } from '../../accounts/members/list-members.ts'
import { listWorkspaces } from '../contracts/workspaces.ts'
import { route } from '../route.ts'

/** GET /v1/workspaces: those the account belongs to. */
export const listWorkspacesRoute = route(listWorkspaces, async ({ tools, actor }) => ({
  workspaces: await listMemberships(tools.sql, actor.accountId),
}))
