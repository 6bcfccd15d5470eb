import { queryOptions } from '@tanstack/react-query'
import type * as invitations from '../../app/contracts/invitations.ts'
import type * as keys from '../../app/contracts/keys.ts'
import type * as members from '../../app/contracts/members.ts'
import type * as workspaces from '../../app/contracts/workspaces.ts'
import { call } from './connection/client.ts'

export type Role = 'admin' | 'member'

export const createWorkspace = (body: { name: string }) =>
  call<typeof workspaces.createWorkspace>('POST', '/v1/workspaces', { body })
export const renameWorkspace = (workspaceId: string, body: { name: string }) =>
  call<typeof workspaces.renameWorkspace>('PATCH', '/v1/workspaces/:workspaceId', { params: { workspaceId }, body })

export const deleteWorkspace = (workspaceId: string) =>
  call<typeof workspaces.deleteWorkspace>('DELETE', '/v1/workspaces/:workspaceId', { params: { workspaceId } })

export const keysQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['keys', workspace],
    queryFn: () => call<typeof keys.listKeys>('GET', '/v1/keys', { query: { workspace } }),
  })
export const createKey = (workspace: string, body: { name: string; expiresAt?: string }) =>
  call<typeof keys.createKey>('POST', '/v1/keys', { query: { workspace }, body })
export const deleteKey = (workspace: string, keyId: string) =>
  call<typeof keys.deleteKey>('DELETE', '/v1/keys/:keyId', { params: { keyId }, query: { workspace } })

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace],
    queryFn: () => call<typeof members.listMembers>('GET', '/v1/members', { query: { workspace } }),
  })
export const changeRole = (workspace: string, accountId: string, role: Role) =>
  call<typeof members.changeRole>('PATCH', '/v1/members/:accountId', {
    params: { accountId },
    query: { workspace },
    body: { role },
  })
export const removeMember = (workspace: string, accountId: string) =>
  call<typeof members.removeMember>('DELETE', '/v1/members/:accountId', { params: { accountId }, query: { workspace } })

export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['invitations', workspace],
    queryFn: () => call<typeof invitations.listInvitations>('GET', '/v1/invitations', { query: { workspace } }),
  })
export const sendInvitation = (workspace: string, body: { email: string; role: Role }) =>
  call<typeof invitations.sendInvitation>('POST', '/v1/invitations', { query: { workspace }, body })
export const withdrawInvitation = (workspace: string, invitationId: string) =>
  call<typeof invitations.withdrawInvitation>('DELETE', '/v1/invitations/:invitationId', {
    params: { invitationId },
    query: { workspace },
  })
const INVITATION = 'invitation'
/** The invitation of a link. It works once: read again after that, it is refused. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: [INVITATION, token],
    queryFn: () => call<typeof invitations.readInvitation>('POST', '/v1/invitations/read', { body: { token } }),
  })
export const isInvitation = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] === INVITATION
export const acceptInvitation = (body: { token: string }) =>
  call<typeof invitations.acceptInvitation>('POST', '/v1/invitations/accept', { body })
