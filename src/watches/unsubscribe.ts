import { recordAction } from '../audit/record-action.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { linkOf, type Unsubscribing } from './link-store.ts'
import type { WatchView } from './schema.ts'
import { pauseWatches, watchesOf } from './watch-store.ts'

const TOKEN = /^[\w-]{43}$/

/** Returns the watches whose mails a link ends. @throws AppError not_found */
export async function findUnsubscribed(sql: Sql, token: string): Promise<WatchView[]> {
  const ends = await endsOf(sql, token)
  const watches = await watchesOf(sql, ends.accountId)
  return watches.filter(({ watchId, frequency }) => watchId === ends.watchId || frequency === ends.frequency)
}

/** Pauses the watches whose mails a link ends. Once more, it does nothing. @throws AppError not_found */
export async function unsubscribe(sql: Sql, token: string): Promise<void> {
  const ends = await endsOf(sql, token)
  await sql.begin(async (tx) => {
    if ((await pauseWatches(tx, ends)) === 0) return
    const { accountId, watchId, frequency } = ends
    await recordAction(tx, 'watch_unsubscribed', { accountId, subject: watchId ?? frequency })
  })
}

async function endsOf(sql: Sql, token: string): Promise<Unsubscribing> {
  const ends = TOKEN.test(token) ? await linkOf(sql, token) : undefined
  if (ends) return ends
  throw new AppError('not_found', 'This link is not known: it may be old, or its watch was deleted.')
}
