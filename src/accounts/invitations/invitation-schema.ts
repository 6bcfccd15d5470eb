import type { Instant } from '../../lib/instant.ts'
import type { Role } from '../members/member-schema.ts'

/** An invitation that can still be accepted, as the workspace's admins see it. */
export type InvitationView = {
  invitationId: string
  email: string
  role: Role
  invitedBy: string
  createdAt: Instant
  expiresAt: Instant
}

/** What an invitation's link says to the person who opens it. */
export type OpenInvitation = {
  workspaceId: string
  workspace: string
  invitedBy: string
  email: string
  role: Role
  expiresAt: Instant
}
