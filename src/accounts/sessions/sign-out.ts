import type { Tx } from '../../lib/sql.ts'
import { removeAllEmailChanges, removeEmailChanges } from '../users/links/link-store.ts'
import { removeAllKnownBrowsers, removeKnownBrowsers } from './known-browser-store.ts'
import { removeAllSessions, removeSessions } from './session-store.ts'

/**
 * Ends every session of an account, and forgets its browsers. Links with which it would get another address are void too: who asked for them may
 * not be its owner. Returns how many sessions ended.
 */
export async function signOut(tx: Tx, accountId: string): Promise<number> {
  const ended = await removeSessions(tx, accountId)
  await removeEmailChanges(tx, accountId)
  await removeKnownBrowsers(tx, accountId)
  return ended
}

/** The same for all accounts. */
export async function signOutAll(tx: Tx): Promise<number> {
  const ended = await removeAllSessions(tx)
  await removeAllEmailChanges(tx)
  await removeAllKnownBrowsers(tx)
  return ended
}
