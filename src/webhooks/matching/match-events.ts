import { lockPartlyMatched, lockUnmatched, markMatched, markMatchedTo } from '../../events/store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { eventsPerMatch, PAIRS_PER_MATCH } from './match-rules.ts'
import { countWebhooks, insertDeliveries, webhookAfter } from './match-store.ts'

/** How many events were matched with every webhook, and how many deliveries that made. */
export type MatchReport = { events: number; deliveries: number }

/** A webhook that is deleted while a statement matches it fails the statement. The next try does not see it. */
const FOREIGN_KEY_VIOLATION = '23503'
const TRIES = 5

type Task = {
  now: Instant
  /** Events at once, at most. */
  limit?: number
  /** Events times webhooks at once, at most. */
  pairs?: number
}

/**
 * Turns the oldest unmatched events into deliveries that are due now, in one transaction, and marks them as matched. Where
 * there are more webhooks than `pairs` it takes one event and a part of them, and the next call goes on after that part. Events are
 * taken in commit order; two calls at once take different events. Paused webhooks get their deliveries too: what happens to
 * them is decided when they are due.
 * @returns undefined when nothing was left
 */
export async function matchEvents(sql: Sql, task: Task): Promise<MatchReport | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return (await sql.begin((tx) => match(tx, task))) as MatchReport | undefined
    } catch (error) {
      const retry = (error as { code?: string }).code === FOREIGN_KEY_VIOLATION && tries < TRIES
      if (!retry) throw error
    }
  }
}

async function match(tx: Tx, { now, limit, pairs = PAIRS_PER_MATCH.first }: Task): Promise<MatchReport | undefined> {
  const webhooks = await countWebhooks(tx, pairs)
  if (webhooks > pairs) return matchPart(tx, now, pairs)
  const seqs = await lockUnmatched(tx, eventsPerMatch(webhooks, pairs, limit))
  if (seqs.length === 0) return undefined
  const deliveries = await insertDeliveries(tx, seqs, now)
  await markMatched(tx, seqs, now)
  return { events: seqs.length, deliveries }
}

/** A webhook that is created meanwhile, and would be left out, began after the event. */
async function matchPart(tx: Tx, now: Instant, webhooks: number): Promise<MatchReport | undefined> {
  const event = await lockPartlyMatched(tx)
  if (!event) return undefined
  const upTo = await webhookAfter(tx, event.after, webhooks)
  const deliveries = await insertDeliveries(tx, [event.seq], now, { after: event.after, upTo })
  if (upTo === undefined) await markMatched(tx, [event.seq], now)
  else await markMatchedTo(tx, event.seq, upTo)
  return { events: upTo === undefined ? 1 : 0, deliveries }
}
