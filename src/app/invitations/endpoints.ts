// Written by "npm run generate" from contract.ts.
import { endpoint } from '../endpoint.ts'

export const listInvitations = endpoint('GET', '/v1/invitations')
export const sendInvitation = endpoint('POST', '/v1/invitations')
export const withdrawInvitation = endpoint('DELETE', '/v1/invitations/:invitationId')
export const readInvitation = endpoint('POST', '/v1/invitations/read')
export const acceptInvitation = endpoint('POST', '/v1/invitations/accept')
