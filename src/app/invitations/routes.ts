import { acceptInvitation, readInvitation } from '../../accounts/invitations/accept-invitation.ts'
import { sendInvitation } from '../../accounts/invitations/send-invitation.ts'
import { listInvitations, withdrawInvitation } from '../../accounts/invitations/withdraw-invitation.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const invitationsRoutes: AppRoute[] = [
  /** GET /v1/invitations?workspace=: those that can still be accepted. */
  route(contracts.listInvitations, async ({ tools, actor }) => ({
    invitations: await listInvitations(tools.sql, actor.workspaceId),
  })),

  /** POST /v1/invitations?workspace=: invites an address; its link is in the answer only where no mail server is set. */
  route(contracts.sendInvitation, async ({ tools, actor, body }) => ({
    invitation: await sendInvitation(tools.sql, tools.mail, actor, body),
  })),

  /** DELETE /v1/invitations/{invitationId}?workspace=: its link is void from now on. */
  route(contracts.withdrawInvitation, async ({ tools, actor, params }) => {
    await withdrawInvitation(tools.sql, actor, { invitationId: params.invitationId })
  }),

  /** POST /v1/invitations/read: what an invitation's link is about. */
  route(contracts.readInvitation, async ({ tools, body }) => {
    const { workspaceId: _, ...invitation } = await readInvitation(tools.sql, body.token)
    return { invitation }
  }),

  /** POST /v1/invitations/accept: makes the signed-in user a member. */
  route(contracts.acceptInvitation, async ({ tools, actor, body }) => acceptInvitation(tools.sql, actor, body.token)),
]
