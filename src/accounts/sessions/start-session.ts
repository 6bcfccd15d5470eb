import { recordAction } from '../../audit/record-action.ts'
import type { Tx } from '../../lib/sql.ts'
import { oneLine } from '../../lib/text.ts'
import { newToken } from '../new-token.ts'
import { MAX_USER_AGENT_CHARACTERS } from './session-rules.ts'
import { insertSession } from './session-store.ts'

/** What a request says of where it comes from. `browser`: the token of a browser that may be known. */
export type Device = { address: string; userAgent: string; browser?: string }

/**
 * Starts a session. Returns the token for its cookie, which is stored nowhere.
 * @param how what else the audit log says about the sign-in
 * @param began of the identity provider where that signed in: the identity, and how long the session lasts
 */
export async function startSession(
  tx: Tx,
  accountId: string,
  { address, userAgent }: Device,
  how: { passkey?: string; provider?: string } = {},
  began: { identityId?: string; lifetimeMs?: number } = {},
): Promise<string> {
  const token = newToken()
  const shown = oneLine(userAgent, MAX_USER_AGENT_CHARACTERS)
  await insertSession(tx, { accountId, token, address, userAgent: shown, ...began })
  await recordAction(tx, 'signed_in', { accountId, detail: { address, ...how } })
  return token
}
