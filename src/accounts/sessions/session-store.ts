import { epochMs, type Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'
import { SEEN_EVERY_MS, SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './session-rules.ts'
import type { SessionView, SignedIn } from './session-schema.ts'

export async function insertSession(
  tx: Tx,
  session: {
    accountId: string
    token: string
    address: string
    userAgent: string
    identityId?: string
    lifetimeMs?: number
  },
): Promise<string> {
  const { lifetimeMs = SESSION_LIFETIME_MS } = session
  const [row] = await tx<{ sessionId: string }[]>`
    insert into session (token_hash, account_id, created_at, last_seen_at, expires_at, address, user_agent, identity_id)
    values (${tokenHash(session.token)}, ${session.accountId}, clock_timestamp(), clock_timestamp(),
            clock_timestamp() + ${`${lifetimeMs} ms`}::interval, ${session.address}, ${session.userAgent},
            ${session.identityId ?? null})
    returning session_id as "sessionId"`
  return row!.sessionId
}

/** Returns whose session this is; undefined when it has ended or the account is disabled. */
export async function findSession(sql: Sql, token: string): Promise<SignedIn | undefined> {
  const [row] = await sql<(SignedIn & { lastSeenAt: Instant; now: Instant })[]>`
    select s.session_id as "sessionId", a.account_id as "accountId", a.email, a.operator,
           (select m.workspace_id from workspace_member m where m.account_id = a.account_id
            order by m.created_at, m.workspace_id limit 1) as "firstWorkspaceId",
           s.last_seen_at as "lastSeenAt", clock_timestamp()::timestamptz(3) as now
    from session s join account a using (account_id)
    where s.token_hash = ${tokenHash(token)} and s.expires_at > clock_timestamp()
      and s.last_seen_at > clock_timestamp() - ${`${SESSION_IDLE_MS} ms`}::interval and a.disabled_at is null`
  if (!row) return undefined
  const { lastSeenAt, now, ...found } = row
  if (epochMs(now) - epochMs(lastSeenAt) >= SEEN_EVERY_MS)
    await sql`update session set last_seen_at = clock_timestamp() where session_id = ${found.sessionId}`
  return found
}

/** Returns whether a session began at most so long ago. */
export async function isSessionSince(db: Db, sessionId: string, ageMs: number): Promise<boolean> {
  const rows = await db`
    select from session
    where session_id = ${sessionId} and created_at > clock_timestamp() - ${`${ageMs} ms`}::interval`
  return rows.length > 0
}

/** The sessions of an account that have not ended, newest first. */
export const sessionsOf = async (db: Db, accountId: string): Promise<SessionView[]> => [
  ...(await db<SessionView[]>`
    select session_id as "sessionId", created_at as "createdAt", last_seen_at as "lastSeenAt",
           expires_at as "expiresAt", address, user_agent as "userAgent"
    from session
    where account_id = ${accountId} and expires_at > clock_timestamp()
      and last_seen_at > clock_timestamp() - ${`${SESSION_IDLE_MS} ms`}::interval
    order by created_at desc, session_id desc`),
]

/** Returns whether the account had such a session. */
export async function removeSession(db: Db, session: { accountId: string; sessionId: string }): Promise<boolean> {
  const removed = await db`
    delete from session where session_id::text = ${session.sessionId} and account_id = ${session.accountId}`
  return removed.count > 0
}

/** Whether a session was started with an identity that is still linked. */
export async function hasIdentity(db: Db, sessionId: string): Promise<boolean> {
  const rows = await db`select from session where session_id = ${sessionId} and identity_id is not null`
  return rows.length > 0
}

/** Returns how many sessions of an account were removed. */
export async function removeSessions(db: Db, accountId: string): Promise<number> {
  const removed = await db`delete from session where account_id = ${accountId}`
  return removed.count
}

/** Returns how many sessions were removed. */
export async function removeAllSessions(db: Db): Promise<number> {
  const removed = await db`delete from session`
  return removed.count
}

/** Returns how many sessions had ended. */
export async function deleteEndedSessions(db: Db): Promise<number> {
  const deleted = await db`
    delete from session
    where expires_at <= clock_timestamp() or last_seen_at <= clock_timestamp() - ${`${SESSION_IDLE_MS} ms`}::interval`
  return deleted.count
}
