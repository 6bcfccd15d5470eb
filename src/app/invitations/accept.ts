import * as invitations from '../../accounts/invitations/accept-invitation.ts'
import { acceptInvitation } from '../contracts/invitations.ts'
import { route } from '../route.ts'

/** POST /v1/invitations/accept: makes the signed-in user a member. */
export const acceptInvitationRoute = route(acceptInvitation, async ({ tools, actor, body }) =>
  invitations.acceptInvitation(tools.sql, actor, body.token),
)
