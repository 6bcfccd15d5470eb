import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { stateOf } from './handshake-rules.ts'
import { useHandshake } from './handshake-store.ts'
import type { Claims } from './identity-schema.ts'
import type { IdentityProvider } from './provider.ts'

/** What the browser brings back: `answer` is the query of the address that the provider sent it to. */
export type ProviderReturn = { answer: string; browserToken: string | undefined }

/**
 * Returns who signed in at the provider. What was begun in another browser or session, or was finished before, is refused.
 * @throws AppError identity_refused, identity_unavailable
 */
export async function finishHandshake(
  sql: Sql,
  provider: IdentityProvider,
  { answer, browserToken }: ProviderReturn,
  sessionId?: string,
): Promise<Claims> {
  const state = stateOf(answer)
  if (state === undefined || browserToken === undefined) throw notBegunHere()
  if (!(await useHandshake(sql, { state, browserToken, sessionId }))) throw notBegunHere()
  return provider.claimsOf(answer, { state, browserToken })
}

const notBegunHere = (): AppError =>
  new AppError(
    'identity_refused',
    'This sign-in was begun in another browser, was finished already, or took longer than 15 minutes. Try again.',
  )
