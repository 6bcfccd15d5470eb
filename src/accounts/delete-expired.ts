import type { Sql } from '../lib/sql.ts'
import { deleteOldInvitations } from './invitations/invitation-store.ts'
import { deleteOldFailures } from './sessions/backoff-store.ts'
import { deleteEndedSessions } from './sessions/session-store.ts'
import { deleteExpiredLinks } from './users/link-store.ts'

/** Deletes sessions, links and invitations that have expired, and failed sign-ins of long ago. Returns how many. */
export async function deleteExpired(sql: Sql): Promise<number> {
  const links = await deleteExpiredLinks(sql)
  const invitations = await deleteOldInvitations(sql)
  return links + invitations + (await deleteEndedSessions(sql)) + (await deleteOldFailures(sql))
}
