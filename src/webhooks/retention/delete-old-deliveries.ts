import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'
import { deleteDeliveriesBefore } from './retention-store.ts'

/**
 * Deletes deliveries whose last attempt and last resend are 30 days old, with their attempts. A delivery that was never
 * attempted counts from when it failed. A pending delivery is never deleted. At most `limit` at once; returns how many.
 */
export const deleteOldDeliveries = (sql: Sql, now: Instant, limit: number): Promise<number> =>
  deleteDeliveriesBefore(sql, plus(now, -LOG_KEPT_MS), limit)
