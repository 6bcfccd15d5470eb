import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { rateLimited } from '../rate-limited.ts'
import { beginSignIn } from '../sessions/backoff-store.ts'
import { passwordHashOf } from './account-store.ts'
import { isPassword } from './password.ts'

/**
 * Checks the password of somebody who is signed in, as often as a sign-in may be tried. Returns its hash.
 * @throws AppError invalid_body (field `currentPassword`), rate_limited after wrong ones
 */
export async function confirmPassword(
  sql: Sql,
  { accountId, email }: { accountId: string; email: string },
  currentPassword: string,
): Promise<string> {
  const waitSeconds = await beginSignIn(sql, email)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  const present = await passwordHashOf(sql, accountId)
  if (!(await isPassword(present, currentPassword)) || !present) throw wrongPassword()
  return present
}

export const wrongPassword = (): AppError =>
  new AppError('invalid_body', 'currentPassword: is wrong', { field: 'currentPassword' })
