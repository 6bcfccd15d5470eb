import { changeRole, removeMember } from '../../accounts/members/change-role.ts'
import { listMembers } from '../../accounts/members/list-members.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const membersRoutes: AppRoute[] = [
  /** GET /v1/members?workspace=: the members of a workspace. */
  route(contracts.listMembers, async ({ tools, actor }) => ({
    members: await listMembers(tools.sql, actor.workspaceId),
  })),

  /** PATCH /v1/members/{accountId}?workspace=: makes a member an admin, or an admin a member. */
  route(contracts.changeRole, async ({ tools, actor, params, body }) => {
    await changeRole(tools.sql, actor, { accountId: params.accountId, role: body.role })
  }),

  /** DELETE /v1/members/{accountId}?workspace=: removes a member; with one's own id, leaves. */
  route(contracts.removeMember, async ({ tools, actor, params }) => {
    await removeMember(tools.sql, actor, { accountId: params.accountId }, tools.mail)
  }),
]
