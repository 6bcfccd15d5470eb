import { deleteEvents } from '../../events/store.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'
import { unusedEvents } from './retention-store.ts'

/**
 * Deletes events that no delivery needs any more, 30 days after they became eligible. Prices, documents and their
 * history are never read from events. At most `limit` at once; returns how many.
 */
export async function deleteOldEvents(sql: Sql, now: Instant, limit: number): Promise<number> {
  return deleteEvents(sql, await unusedEvents(sql, plus(now, -LOG_KEPT_MS), limit))
}
