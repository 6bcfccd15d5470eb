import { v7 } from '../lib/ids.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { type Changes, changesAmong, firstUnseen } from './change-store.ts'
import { isDue } from './digest-rules.ts'
import { countDueMails, countMails, forgetSentMails, insertMails } from './mail-store.ts'
import { addChanges, mailsOf, withinLimit } from './plan-rules.ts'
import { FREQUENCIES, type Frequency } from './schema.ts'
import { MAILS_COUNTED_MS } from './watch-rules.ts'
import { advanceWatches, lockPlan, recordPlan } from './watch-store.ts'

/** Events matched by one statement: keeps it within seconds. */
const EVENTS_AT_ONCE = 1_000

/**
 * Turns what was published into mails that wait to be sent: at once, or with the digest of the day or week when it is due. A
 * change is in one mail of each watch, however often and wherever this is ended. Returns how many mails could be sent now.
 */
export async function planMails(sql: Sql, now: Instant): Promise<number> {
  await forgetSentMails(sql, MAILS_COUNTED_MS)
  for (const frequency of FREQUENCIES) await sql.begin((tx) => plan(tx, frequency, now))
  return countDueMails(sql)
}

async function plan(tx: Tx, frequency: Frequency, now: Instant): Promise<void> {
  const { plannedAt, newest } = await lockPlan(tx, frequency)
  if (!isDue(frequency, now, plannedAt)) return
  const found = await changesUpTo(tx, frequency, newest)
  const accounts = [...new Set(found.map(({ accountId }) => accountId))]
  const sent = await countMails(tx, accounts, MAILS_COUNTED_MS)
  const { mails, waiting } = withinLimit(mailsOf(frequency, found, v7), frequency === 'at_once' ? sent : undefined)
  // Before the watches are locked: an account that is being deleted is waited for here.
  await insertMails(tx, frequency, mails)
  const mailed = mails.flatMap(({ parts }) => parts.map(({ watchId }) => watchId))
  await advanceWatches(tx, { frequency, upTo: newest, mailed, waiting })
  if (frequency !== 'at_once') await recordPlan(tx, frequency, now)
}

async function changesUpTo(tx: Tx, frequency: Frequency, newest: number): Promise<Changes[]> {
  const first = await firstUnseen(tx, frequency, newest)
  const found = new Map<string, Changes>()
  if (first === undefined) return []
  for (let from = first; from < newest; from += EVENTS_AT_ONCE) {
    const upTo = Math.min(from + EVENTS_AT_ONCE, newest)
    for (const changes of await changesAmong(tx, frequency, { from, upTo, newest })) addChanges(found, changes)
  }
  return [...found.values()]
}
