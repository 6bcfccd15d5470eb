import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { RECENT_MS } from '../sessions/session-rules.ts'
import { isSessionSince } from '../sessions/session-store.ts'
import { passwordHashOf } from './account-store.ts'
import { confirmPasswordAlone } from './confirm-password.ts'

type Owner = { accountId: string; sessionId: string }

/** Returns whether someone has to give the password before a way to sign in is added: the last sign-in is not recent. */
export const asksForPassword = async (sql: Sql, { sessionId }: { sessionId: string }): Promise<boolean> =>
  !(await isSessionSince(sql, sessionId, RECENT_MS))

/**
 * Makes sure that the owner of a session is there: the sign-in is recent, or the password is given.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited after wrong ones, forbidden without a password
 */
export async function confirmRecently(sql: Sql, owner: Owner, currentPassword: string | undefined): Promise<void> {
  if (currentPassword === undefined) {
    if (!(await asksForPassword(sql, owner))) return
    if ((await passwordHashOf(sql, owner.accountId)) !== null) throw passwordNeeded()
  }
  await confirmPasswordAlone(sql, owner, currentPassword ?? '')
}

const passwordNeeded = (): AppError =>
  new AppError('invalid_body', 'currentPassword: is needed, because you signed in some time ago', {
    field: 'currentPassword',
  })
