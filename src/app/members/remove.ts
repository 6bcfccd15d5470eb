import * as members from '../../accounts/members/change-role.ts'
import { removeMember } from '../contracts/members.ts'
import { route } from '../route.ts'

/** DELETE /v1/members/{accountId}?workspace=: removes a member; with one's own id, leaves. */
export const removeMemberRoute = route(removeMember, async ({ tools, actor, params }) => {
  await members.removeMember(tools.sql, actor, { accountId: params.accountId }, tools.mail)
})
