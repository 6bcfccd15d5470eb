import * as invitations from '../../accounts/invitations/withdraw-invitation.ts'
import { listInvitations } from '../contracts/invitations.ts'
import { route } from '../route.ts'

/** GET /v1/invitations?workspace=: those that can still be accepted. */
export const listInvitationsRoute = route(listInvitations, async ({ tools, actor }) => ({
  invitations: await invitations.listInvitations(tools.sql, actor.workspaceId),
}))
