import { lockUnmatched, markMatched } from '../../events/store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { eventsPerMatch } from './match-rules.ts'
import { countWebhooks, insertDeliveries } from './match-store.ts'

/** How many events were matched, and how many deliveries that made. */
export type MatchReport = { events: number; deliveries: number }

/** A webhook that is deleted while a statement matches it fails the statement. The next try does not see it. */
const FOREIGN_KEY_VIOLATION = '23503'
const TRIES = 5

/**
 * Turns the oldest unmatched events into deliveries that are due now, in one transaction, and marks them as matched.
 * Events are taken in commit order; two calls at once take different events. `events` is 0 when none is left. Paused
 * webhooks get their deliveries too: what happens to them is decided when they are due.
 */
export async function matchEvents(sql: Sql, { now, limit }: { now: Instant; limit?: number }): Promise<MatchReport> {
  for (let tries = 1; ; tries++) {
    try {
      return (await sql.begin((tx) => match(tx, now, limit))) as MatchReport
    } catch (error) {
      const retry = (error as { code?: string }).code === FOREIGN_KEY_VIOLATION && tries < TRIES
      if (!retry) throw error
    }
  }
}

async function match(tx: Tx, now: Instant, limit: number | undefined): Promise<MatchReport> {
  const seqs = await lockUnmatched(tx, eventsPerMatch(await countWebhooks(tx), limit))
  if (seqs.length === 0) return { events: 0, deliveries: 0 }
  const deliveries = await insertDeliveries(tx, seqs, now)
  await markMatched(tx, seqs, now)
  return { events: seqs.length, deliveries }
}
