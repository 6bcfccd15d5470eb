import type { Db } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'
import { HANDSHAKE_LIFETIME_MS, type Handshake } from './handshake-rules.ts'

/** `sessionId`: of a link, which that session alone can finish. */
type HandshakeRow = Handshake & { sessionId?: string }

export async function insertHandshake(db: Db, { state, browserToken, sessionId }: HandshakeRow): Promise<void> {
  await db`
    insert into identity_handshake (state_hash, browser_hash, session_id, expires_at)
    values (${tokenHash(state)}, ${tokenHash(browserToken)}, ${sessionId ?? null},
            clock_timestamp() + ${`${HANDSHAKE_LIFETIME_MS} ms`}::interval)`
}

/** Uses a sign-in up. Returns whether it was begun in this browser, for this use, and not too long ago. */
export async function useHandshake(db: Db, { state, browserToken, sessionId }: HandshakeRow): Promise<boolean> {
  const [row] = await db<{ isValid: boolean }[]>`
    delete from identity_handshake
    where state_hash = ${tokenHash(state)} and browser_hash = ${tokenHash(browserToken)}
      and session_id is not distinct from ${sessionId ?? null}::uuid
    returning expires_at > clock_timestamp() as "isValid"`
  return row?.isValid === true
}

/** Returns how many were too old to be finished. */
export async function deleteOldHandshakes(db: Db): Promise<number> {
  const deleted = await db`delete from identity_handshake where expires_at <= clock_timestamp()`
  return deleted.count
}
