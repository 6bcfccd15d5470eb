import { DAY } from '../../lib/instant.ts'

/** Invitations that a workspace may send in any 24 hours (specification, Limits). */
export const MAX_INVITATIONS_PER_DAY = 20
export const INVITATION_WINDOW_MS = DAY
/** An invitation can be accepted for so long. */
export const INVITATION_LIFETIME_MS = 7 * DAY
