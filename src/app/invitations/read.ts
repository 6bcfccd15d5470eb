import * as invitations from '../../accounts/invitations/accept-invitation.ts'
import { readInvitation } from '../contracts/invitations.ts'
import { route } from '../route.ts'

/** POST /v1/invitations/read: what an invitation's link is about. */
export const readInvitationRoute = route(readInvitation, async ({ tools, body }) => {
  const { workspaceId: _, ...invitation } = await invitations.readInvitation(tools.sql, body.token)
  return { invitation }
})
