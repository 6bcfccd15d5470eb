import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { counterOfOwner, countIn, forgetTries } from '../sessions/count-try.ts'
import { RECENT_MS } from '../sessions/session-rules.ts'
import { isSessionSince } from '../sessions/session-store.ts'
import { passwordHashOf } from './account-store.ts'
import { isPassword } from './password.ts'

/** `sessionId`: of the session that the owner acts in. */
type Owner = { accountId: string; sessionId?: string }

/**
 * Checks the password of a signed-in user, as often as a sign-in may be tried, with a counter of its own: no one
 * who is not signed in holds it up. Returns its hash; null for an account without a password, whose owner has to have signed
 * in just before.
 * @throws AppError invalid_body (field `currentPassword`), forbidden, rate_limited after wrong ones
 */
export async function confirmPassword(
  sql: Sql,
  { accountId, sessionId }: Owner,
  currentPassword: string,
): Promise<string | null> {
  await countIn(sql, counterOfOwner(accountId))
  const present = await passwordHashOf(sql, accountId)
  if (present === null) {
    if (sessionId === undefined || !(await isSessionSince(sql, sessionId, RECENT_MS))) throw signInAgain()
    return null
  }
  if (!(await isPassword(present, currentPassword)) || !present) throw wrongPassword()
  return present
}

/** The same where nothing but the password is asked for: the right one ends the waiting after wrong ones. */
export async function confirmPasswordAlone(sql: Sql, owner: Owner, currentPassword: string): Promise<string | null> {
  const present = await confirmPassword(sql, owner, currentPassword)
  await forgetTries(sql, counterOfOwner(owner.accountId))
  return present
}

const signInAgain = (): AppError =>
  new AppError('forbidden', 'This needs a sign-in of the last 10 minutes: sign out, sign in again, and repeat it.')

export const wrongPassword = (): AppError =>
  new AppError('invalid_body', 'currentPassword: is wrong', { field: 'currentPassword' })
