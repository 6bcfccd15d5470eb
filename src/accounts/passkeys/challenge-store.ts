import type { Db } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'
import { CHALLENGE_LIFETIME_MS } from './passkey-rules.ts'

/** Who may answer a challenge: the session that adds a passkey, or the browser that signs in. */
export type Answerer = { sessionId: string } | { browserToken: string }

const sessionOf = (answerer: Answerer): string | null => ('sessionId' in answerer ? answerer.sessionId : null)
const browserOf = (answerer: Answerer): Uint8Array | null =>
  'browserToken' in answerer ? tokenHash(answerer.browserToken) : null

export async function insertChallenge(db: Db, challenge: string, answerer: Answerer): Promise<void> {
  await db`
    insert into passkey_challenge (challenge_hash, session_id, browser_hash, expires_at)
    values (${tokenHash(challenge)}, ${sessionOf(answerer)}, ${browserOf(answerer)},
            clock_timestamp() + ${`${CHALLENGE_LIFETIME_MS} ms`}::interval)`
}

/** Uses a challenge up. Returns whether it was of this session or browser, and not too old. */
export async function useChallenge(db: Db, challenge: string, answerer: Answerer): Promise<boolean> {
  const [row] = await db<{ isValid: boolean }[]>`
    delete from passkey_challenge
    where challenge_hash = ${tokenHash(challenge)}
      and (session_id = ${sessionOf(answerer)} or browser_hash = ${browserOf(answerer)})
    returning expires_at > clock_timestamp() as "isValid"`
  return row?.isValid ?? false
}

/** Returns how many challenges were too old to be answered. */
export async function deleteOldChallenges(db: Db): Promise<number> {
  const deleted = await db`delete from passkey_challenge where expires_at <= clock_timestamp()`
  return deleted.count
}
