import * as members from '../../accounts/members/list-members.ts'
import { listMembers } from '../contracts/members.ts'
import { route } from '../route.ts'

/** GET /v1/members?workspace=: the members of a workspace. */
export const listMembersRoute = route(listMembers, async ({ tools, actor }) => ({
  members: await members.listMembers(tools.sql, actor.workspaceId),
}))
