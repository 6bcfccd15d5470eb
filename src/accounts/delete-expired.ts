import type { Sql } from '../lib/sql.ts'
import { deleteOldHandshakes } from './identities/handshake-store.ts'
import { deleteOldInvitations } from './invitations/invitation-store.ts'
import { deleteOldChallenges } from './passkeys/challenge-store.ts'
import { deleteOldFailures } from './sessions/backoff-store.ts'
import { deleteOldBrowsers } from './sessions/known-browser-store.ts'
import { deleteEndedSessions } from './sessions/session-store.ts'
import { deleteExpiredLinks } from './users/links/link-store.ts'

/**
 * Deletes sessions, links, invitations and challenges that have expired, browsers that were not used for long, and
 * failed sign-ins of long ago. Returns how many.
 */
export async function deleteExpired(sql: Sql): Promise<number> {
  const links = await deleteExpiredLinks(sql)
  const invitations = await deleteOldInvitations(sql)
  const challenges = (await deleteOldChallenges(sql)) + (await deleteOldHandshakes(sql))
  const browsers = await deleteOldBrowsers(sql)
  return links + invitations + challenges + browsers + (await deleteEndedSessions(sql)) + (await deleteOldFailures(sql))
}
