import { z } from 'zod'
import { emailAddress } from '../../accounts/users/email-rules.ts'
import { contract } from '../contract.ts'
import { instant, inWorkspace, linkToken, role } from '../parts.ts'

const invitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role,
  invitedBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
})

export const listInvitations = contract('GET', '/v1/invitations', {
  access: 'admin',
  query: inWorkspace,
  answer: z.object({ invitations: z.array(invitation) }),
  status: 200,
})

export const sendInvitation = contract('POST', '/v1/invitations', {
  access: 'admin',
  query: inWorkspace,
  body: z.strictObject({ email: emailAddress, role }),
  answer: z.object({
    invitation: invitation.extend({ link: z.string().optional().describe('only where no mail server is set') }),
  }),
  status: 201,
})

export const withdrawInvitation = contract('DELETE', '/v1/invitations/:invitationId', {
  access: 'admin',
  query: inWorkspace,
  status: 204,
})

/** The token is in the body: addresses are logged by proxies. */
export const readInvitation = contract('POST', '/v1/invitations/read', {
  access: 'public',
  body: z.strictObject({ token: linkToken }),
  answer: z.object({
    invitation: z.object({
      workspace: z.string(),
      invitedBy: z.string(),
      email: z.string(),
      role,
      expiresAt: instant,
    }),
  }),
  status: 200,
})

export const acceptInvitation = contract('POST', '/v1/invitations/accept', {
  access: 'session',
  body: z.strictObject({ token: linkToken }),
  answer: z.object({ workspaceId: z.string() }),
  status: 200,
})
