import { z } from 'zod'
import { emailAddress } from '../../accounts/users/email-rules.ts'
import { contract } from '../contract.ts'
import { instant, inWorkspace, linkToken, role } from '../parts.ts'
import * as at from './endpoints.ts'

const invitation = z.object({
  invitationId: z.string(),
  email: z.string(),
  role,
  invitedBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
})

export const listInvitations = contract(at.listInvitations, {
  access: 'admin',
  query: inWorkspace,
  answer: z.object({ invitations: z.array(invitation) }),
  status: 200,
})

export const sendInvitation = contract(at.sendInvitation, {
  access: 'admin',
  query: inWorkspace,
  body: z.strictObject({ email: emailAddress, role }),
  answer: z.object({
    invitation: invitation.extend({ link: z.string().optional().describe('only where no mail server is set') }),
  }),
  status: 201,
})

export const withdrawInvitation = contract(at.withdrawInvitation, {
  access: 'admin',
  query: inWorkspace,
  status: 204,
})

/** The token is in the body: addresses are logged by proxies. */
export const readInvitation = contract(at.readInvitation, {
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

export const acceptInvitation = contract(at.acceptInvitation, {
  access: 'session',
  body: z.strictObject({ token: linkToken }),
  answer: z.object({ workspaceId: z.string() }),
  status: 200,
})
