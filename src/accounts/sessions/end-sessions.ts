import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import type { SessionView } from './session-schema.ts'
import { hasIdentity, removeSession, sessionsOf } from './session-store.ts'
import { signOut, signOutAll } from './sign-out.ts'

/** Returns the sessions of an account that have not ended, newest first. */
export const listSessions = (sql: Sql, accountId: string): Promise<SessionView[]> => sessionsOf(sql, accountId)

/** Whether a session was started with an identity provider. */
export const startedAtProvider = (sql: Sql, sessionId: string): Promise<boolean> => hasIdentity(sql, sessionId)

/** Ends one session of an account. @throws AppError not_found */
export async function endSession(sql: Sql, session: { accountId: string; sessionId: string }): Promise<void> {
  if (await removeSession(sql, session)) return
  throw new AppError('not_found', 'This session does not exist: it may have ended already.')
}

/** Signs an account out everywhere. Returns how many sessions ended. */
export async function endAllSessions(sql: Sql, accountId: string): Promise<number> {
  return sql.begin(async (tx) => {
    const ended = await signOut(tx, accountId)
    await recordAction(tx, 'sessions_ended', { accountId, detail: { ended } })
    return ended
  }) as Promise<number>
}

/** Signs everyone out everywhere. Returns how many sessions ended. */
export async function signEveryoneOut(sql: Sql): Promise<number> {
  return sql.begin(async (tx) => {
    const ended = await signOutAll(tx)
    await recordAction(tx, 'sessions_ended', { detail: { ended } })
    return ended
  }) as Promise<number>
}
