import type { Sql } from '../../lib/sql.ts'
import { newToken } from '../new-token.ts'
import { confirmRecently } from '../users/confirm-recently.ts'
import { insertHandshake } from './handshake-store.ts'
import type { IdentityProvider } from './provider.ts'

type SignInStart = { url: string; browserToken: string }

/**
 * Returns where a browser signs in, and the token of its cookie. Pages of one browser share the cookie.
 * @throws AppError identity_unavailable
 */
export async function beginSignIn(
  sql: Sql,
  provider: IdentityProvider,
  browserToken: string = newToken(),
  sessionId?: string,
): Promise<SignInStart> {
  const handshake = { state: newToken(), browserToken }
  const url = await provider.signInUrl(handshake)
  await insertHandshake(sql, { ...handshake, sessionId })
  return { url, browserToken }
}

/**
 * The same for a signed-in user who links their account.
 * @throws AppError identity_unavailable; invalid_body (field `currentPassword`), rate_limited, forbidden
 */
export async function beginLink(
  sql: Sql,
  provider: IdentityProvider,
  owner: { accountId: string; sessionId: string },
  { currentPassword, browserToken }: { currentPassword?: string; browserToken?: string },
): Promise<SignInStart> {
  await confirmRecently(sql, owner, currentPassword)
  return beginSignIn(sql, provider, browserToken, owner.sessionId)
}
