import * as invitations from '../../accounts/invitations/withdraw-invitation.ts'
import { withdrawInvitation } from '../contracts/invitations.ts'
import { route } from '../route.ts'

/** DELETE /v1/invitations/{invitationId}?workspace=: its link is void from now on. */
export const withdrawInvitationRoute = route(withdrawInvitation, async ({ tools, actor, params }) => {
  await invitations.withdrawInvitation(tools.sql, actor, { invitationId: params.invitationId })
})
