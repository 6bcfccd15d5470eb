import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { counterOfOwner, countIn, forgetTries } from '../sessions/count-try.ts'
import { passwordHashOf } from './account-store.ts'
import { isPassword } from './password.ts'

/**
 * Checks the password of a signed-in user, as often as a sign-in may be tried, with a counter of its own: no one
 * who is not signed in holds it up. Returns its hash.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited after wrong ones
 */
export async function confirmPassword(
  sql: Sql,
  { accountId }: { accountId: string },
  currentPassword: string,
): Promise<string> {
  await countIn(sql, counterOfOwner(accountId))
  const present = await passwordHashOf(sql, accountId)
  if (!(await isPassword(present, currentPassword)) || !present) throw wrongPassword()
  return present
}

/** The same where nothing but the password is asked for: the right one ends the waiting after wrong ones. */
export async function confirmPasswordAlone(
  sql: Sql,
  owner: { accountId: string },
  currentPassword: string,
): Promise<string> {
  const present = await confirmPassword(sql, owner, currentPassword)
  await forgetTries(sql, counterOfOwner(owner.accountId))
  return present
}

export const wrongPassword = (): AppError =>
  new AppError('invalid_body', 'currentPassword: is wrong', { field: 'currentPassword' })
