import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '../../app/contracts.ts'
import * as invitations from '../../app/invitations/endpoints.ts'
import * as keys from '../../app/keys/endpoints.ts'
import * as members from '../../app/members/endpoints.ts'
import * as workspaces from '../../app/workspaces/endpoints.ts'
import { call } from './connection/client.ts'

export type Role = 'admin' | 'member'

export const createWorkspace = (body: { name: string }) => call(workspaces.createWorkspace, { body })
export const renameWorkspace = (workspaceId: string, body: { name: string }) =>
  call(workspaces.renameWorkspace, { params: { workspaceId }, body })

export const deleteWorkspace = (workspaceId: string) => call(workspaces.deleteWorkspace, { params: { workspaceId } })

export const keysQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['keys', workspace],
    queryFn: () => call(keys.listKeys, { query: { workspace } }),
  })
/** Networks as people write them, with spaces, commas or lines between. */
const separate = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export const createKey = (workspace: string, body: { name: string; expiresAt?: string; networks: string }) =>
  call(keys.createKey, { query: { workspace }, body: { ...body, networks: separate(body.networks) } })
export const changeKey = (workspace: string, keyId: string, body: { networks: string }) =>
  call(keys.changeKey, { params: { keyId }, query: { workspace }, body: { networks: separate(body.networks) } })
export const deleteKey = (workspace: string, keyId: string) =>
  call(keys.deleteKey, { params: { keyId }, query: { workspace } })

export const membersQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['members', workspace],
    queryFn: () => call(members.listMembers, { query: { workspace } }),
  })
export const changeRole = (workspace: string, accountId: string, role: Role) =>
  call(members.changeRole, {
    params: { accountId },
    query: { workspace },
    body: { role },
  })
export const removeMember = (workspace: string, accountId: string) =>
  call(members.removeMember, { params: { accountId }, query: { workspace } })

export type Invitation = AnswerOf<typeof invitations.listInvitations>['invitations'][number]

export const invitationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['invitations', workspace],
    queryFn: () => call(invitations.listInvitations, { query: { workspace } }),
  })
export const sendInvitation = (workspace: string, body: { email: string; role: Role }) =>
  call(invitations.sendInvitation, { query: { workspace }, body })
export const withdrawInvitation = (workspace: string, invitationId: string) =>
  call(invitations.withdrawInvitation, {
    params: { invitationId },
    query: { workspace },
  })
const INVITATION = 'invitation'
/** The invitation of a link. It works once: read again after that, it is refused. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: [INVITATION, token],
    queryFn: () => call(invitations.readInvitation, { body: { token } }),
  })
export const isInvitation = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] === INVITATION
export const acceptInvitation = (body: { token: string }) => call(invitations.acceptInvitation, { body })
