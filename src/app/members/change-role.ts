import * as members from '../../accounts/members/change-role.ts'
import { changeRole } from '../contracts/members.ts'
import { route } from '../route.ts'

/** PATCH /v1/members/{accountId}?workspace=: makes a member an admin, or an admin a member. */
export const changeRoleRoute = route(changeRole, async ({ tools, actor, params, body }) => {
  await members.changeRole(tools.sql, actor, { accountId: params.accountId, role: body.role })
})
