import { DAY, type Instant, plus } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { Sql } from '../../lib/sql.ts'
import { markNotified, type OpenReview, openReviewItems, unnotifiedReviews } from '../store/review-store.ts'

/** An item that waits longer than this is one that only a person can end. */
const NOTIFY_AFTER_MS = DAY
const MOST_ITEMS = 100

/** What operators are sent: the items that have waited a day since the last notification. */
export type ReviewNotice = {
  type: 'review.waiting'
  /** How many items have waited a day, those of earlier notices included. */
  waiting: number
  /** The oldest of them first; at most 100. */
  items: Pick<OpenReview, 'reviewId' | 'source' | 'provider' | 'kind' | 'reasons' | 'openedAt'>[]
  command: string
}

type Tools = {
  sql: Sql
  log: Log
  /** Sends a notice to the operators' own webhook. Returns why it did not arrive. Absent where none is set. */
  send?: (notice: ReviewNotice) => Promise<string | undefined>
}

/**
 * Notifies operators once of each review item that has waited a day: in the log, and by their own webhook. A webhook
 * that does not answer is tried again at the next check. Returns how many items they were notified of.
 */
export async function notifyOperators({ sql, log, send }: Tools, now: Instant): Promise<number> {
  const openedBefore = plus(now, -NOTIFY_AFTER_MS)
  const ids = new Set(await unnotifiedReviews(sql, openedBefore))
  if (ids.size === 0) return 0
  const waiting = await openReviewItems(sql, ids.size + MOST_ITEMS, { openedBefore })
  const items = waiting
    .filter(({ reviewId }) => ids.has(reviewId))
    .slice(0, MOST_ITEMS)
    .map(({ reviewId, source, provider, kind, reasons, openedAt }) => ({
      reviewId, source, provider, kind, reasons, openedAt,
    })) // biome-ignore format: one item
  const command = 'npx pricetape review list --older-than 1d'
  const problem = await send?.({ type: 'review.waiting', waiting: waiting.length, items, command })
  if (problem) {
    log.warn(
      { problem },
      'the operators’ webhook was not notified of review items; it is tried again at the next check',
    )
    return 0
  }
  log.warn({ items: ids.size, oldest: items[0] }, `${ids.size} review items wait longer than a day: ${command}`)
  await markNotified(sql, [...ids], now)
  return ids.size
}
