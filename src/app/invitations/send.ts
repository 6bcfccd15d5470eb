import * as invitations from '../../accounts/invitations/send-invitation.ts'
import { sendInvitation } from '../contracts/invitations.ts'
import { route } from '../route.ts'

/** POST /v1/invitations?workspace=: invites an address; its link is in the answer only where no mail server is set. */
export const sendInvitationRoute = route(sendInvitation, async ({ tools, actor, body }) => ({
  invitation: await invitations.sendInvitation(tools.sql, tools.mail, actor, body),
}))
