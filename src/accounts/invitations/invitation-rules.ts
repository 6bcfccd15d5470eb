import { DAY } from '../../lib/instant.ts'

/** Invitations that a workspace may send in any 24 hours (specification, Limits). */
export const MAX_INVITATIONS_PER_DAY = 20
export const INVITATION_WINDOW_MS = DAY
/** Invitations that one person may send in that time, over all workspaces. */
const MAX_PER_INVITER = 2 * MAX_INVITATIONS_PER_DAY
/** Invitations that one address may get in that time, whoever sends them. */
const MAX_PER_RECIPIENT = 5
/** What is counted, and how much of it may go out in any 24 hours. */
export const MOST_INVITATIONS = {
  workspace: MAX_INVITATIONS_PER_DAY,
  inviter: MAX_PER_INVITER,
  recipient: MAX_PER_RECIPIENT,
} as const
export type InvitationLimit = keyof typeof MOST_INVITATIONS
/** An invitation can be accepted for so long. */
export const INVITATION_LIFETIME_MS = 7 * DAY
