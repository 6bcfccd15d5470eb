import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { clientAddress } from '../limits/client-address-rules.ts'
import type { CountAddress } from '../limits/count-address.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { drawForSession } from '../sessions/admit-session.ts'
import { feedReader } from './feed-address-store.ts'

const TOKEN = /^[\w-]{43}$/

/**
 * Admits a request to a private feed. It counts against the account's limits; an address that does not exist counts
 * against who tries it.
 * @throws AppError not_found, rate_limited
 */
export async function admitFeedReader(
  sql: Sql,
  countAddress: CountAddress,
  { token, ip }: { token: string; ip: string },
): Promise<void> {
  const reader = TOKEN.test(token) ? await feedReader(sql, token) : undefined
  const { waitSeconds } = reader ? await drawForSession(sql, reader, {}) : await countAddress(clientAddress(ip))
  if (waitSeconds > 0) throw rateLimited(waitSeconds)
  if (!reader) throw new AppError('not_found', 'There is no such feed: its address may have been replaced.')
}
