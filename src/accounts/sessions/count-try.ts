import type { Db } from '../../lib/sql.ts'
import { clientAddress } from '../limits/client-address-rules.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { tokenHash } from '../new-token.ts'
import { emailKey } from '../users/email-rules.ts'
import { beginTry, drawStrangersToken, forgetFailures } from './backoff-store.ts'
import { isKnownBrowser } from './known-browser-store.ts'
import type { Device } from './start-session.ts'

/** What counts failures in a row: whoever fails elsewhere does not fill it. */
export type Counter = string

/** For a signed-in user who confirms the password, or enters a code with it. */
export const counterOfOwner = (accountId: string): Counter => `owner/${accountId}`

/**
 * Counts a try to sign in, before anything is looked at, and returns its counter, which a success resets. A browser that
 * signed in to the account before has a counter of its own (OWASP's device cookies). Others are counted by where they come from,
 * and all of them together.
 * @throws AppError rate_limited after wrong ones
 */
export async function countTry(db: Db, email: string, { address, browser }: Device): Promise<Counter> {
  const owner = emailKey(email)
  if (browser !== undefined && (await isKnownBrowser(db, browser, email))) {
    const counter = `browser/${Buffer.from(tokenHash(browser)).toString('hex')}/${owner}`
    await countIn(db, counter)
    return counter
  }
  const counter = `stranger/${clientAddress(address)}/${owner}`
  await countIn(db, counter)
  const waitSeconds = await drawStrangersToken(db, owner)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  return counter
}

/** Counts a try in this counter alone. @throws AppError rate_limited after wrong ones */
export async function countIn(db: Db, counter: Counter): Promise<void> {
  const waitSeconds = await beginTry(db, counter)
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
}

/** The right password, or another proof, ends the waiting in this counter. */
export const forgetTries = (db: Db, counter: Counter): Promise<void> => forgetFailures(db, counter)
