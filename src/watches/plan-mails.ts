import type { Instant } from '../lib/instant.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { countMails } from '../mail/outbox-store.ts'
import { writeFacts } from '../mail/write-mails.ts'
import { type Changes, changesAmong, dueWatches } from './change-store.ts'
import { isDue } from './digest-rules.ts'
import { KIND_OF } from './mail-rules.ts'
import { keepAccounts } from './mail-store.ts'
import { addChanges, mailsOf, withinLimit } from './plan-rules.ts'
import { FREQUENCIES, type Frequency } from './schema.ts'
import { GIVE_UP_AFTER_MS, MAILS_COUNTED_MS } from './watch-rules.ts'
import { advanceWatches, lockPlan, recordPlan } from './watch-store.ts'

/** Events matched by one statement: keeps it within seconds. */
const EVENTS_AT_ONCE = 1_000

/**
 * Turns what was published into mails that wait to be sent: at once, or with the digest of the day or week when it is due. A
 * change is in one mail of each watch, however often and wherever this is ended. Returns how many mails.
 */
export async function planMails(sql: Sql, now: Instant): Promise<number> {
  let planned = 0
  for (const frequency of FREQUENCIES) planned += await sql.begin((tx) => plan(tx, frequency, now))
  return planned
}

async function plan(tx: Tx, frequency: Frequency, now: Instant): Promise<number> {
  const { plannedAt, newest } = await lockPlan(tx, frequency)
  if (!isDue(frequency, now, plannedAt)) return 0
  // Read once: a watch that gets this frequency later is left to the next plan, with all its changes.
  const { watchIds, mailable, from } = await dueWatches(tx, frequency, newest)
  const found = await changesOf(tx, mailable, { from, upTo: newest })
  const accounts = [...new Set(found.map(({ accountId }) => accountId))]
  const sent = await countMails(tx, { kind: KIND_OF.at_once, accountIds: accounts, withinMs: MAILS_COUNTED_MS })
  const { mails, waiting } = withinLimit(mailsOf(frequency, found), frequency === 'at_once' ? sent : undefined)
  await keepAccounts(tx, accounts)
  const of = { kind: KIND_OF[frequency], validMs: GIVE_UP_AFTER_MS }
  await writeFacts(
    tx,
    mails.map(({ accountId, parts }) => ({ ...of, accountId, facts: { frequency, parts } })),
  )
  const behind = new Set(waiting)
  await advanceWatches(
    tx,
    watchIds.filter((watchId) => !behind.has(watchId)),
    newest,
  )
  if (frequency !== 'at_once') await recordPlan(tx, frequency, now)
  return mails.length
}

async function changesOf(tx: Tx, watchIds: string[], range: { from: number; upTo: number }): Promise<Changes[]> {
  const found = new Map<string, Changes>()
  for (let { from } = range; from < range.upTo; from += EVENTS_AT_ONCE) {
    const upTo = Math.min(from + EVENTS_AT_ONCE, range.upTo)
    for (const changes of await changesAmong(tx, watchIds, { from, upTo })) addChanges(found, changes)
  }
  return [...found.values()]
}
