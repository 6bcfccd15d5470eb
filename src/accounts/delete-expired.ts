import type { Sql } from '../lib/sql.ts'
import { deleteOldInvitations } from './invitations/invitation-store.ts'
import { deleteOldChallenges } from './passkeys/challenge-store.ts'
import { deleteOldFailures } from './sessions/backoff-store.ts'
import { deleteEndedSessions } from './sessions/session-store.ts'
import { deleteExpiredMails } from './users/kept-mail-store.ts'
import { deleteExpiredLinks } from './users/link-store.ts'

/** Deletes sessions, links, mails, invitations and challenges that have expired, and failed sign-ins of long ago. Returns how many. */
export async function deleteExpired(sql: Sql): Promise<number> {
  const links = await deleteExpiredLinks(sql)
  const invitations = await deleteOldInvitations(sql)
  const mails = await deleteExpiredMails(sql)
  const challenges = await deleteOldChallenges(sql)
  return links + invitations + mails + challenges + (await deleteEndedSessions(sql)) + (await deleteOldFailures(sql))
}
