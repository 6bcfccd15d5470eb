import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { DeliveryState } from '../workflow-schema.ts'

type Row = {
  status: 'pending' | 'succeeded' | 'failed'
  notSent: boolean
  attempts: number
  dueAt: Instant | null
  paused: boolean
  number: number | null
  at: Instant | null
  error: string | null
  httpStatus: number | null
  durationMs: number | null
}

/** What a delivery is now, for its workflow. */
export async function deliveryState(db: Db, deliveryId: string): Promise<DeliveryState> {
  const [row] = await db<Row[]>`
    select d.status, d.not_sent is not null as "notSent", d.attempts, d.due_at as "dueAt",
           w.state = 'paused' as paused, a.number, a.started_at as at, a.error, a.status as "httpStatus",
           a.duration_ms as "durationMs"
    from delivery d
    join webhook w using (webhook_id)
    left join lateral (
      select * from attempt a where a.delivery_id = d.delivery_id and a.cycle = d.cycle
      order by a.number desc, a.run desc limit 1) a on true
    where d.delivery_id = ${deliveryId}`
  if (!row) return { status: 'gone', attempts: 0 }
  const { status, attempts, number, at } = row
  return {
    status,
    attempts,
    ...(row.notSent && { notSent: true }),
    ...(row.dueAt && { dueAt: row.dueAt }),
    ...(row.paused && { paused: true }),
    ...(number !== null &&
      at && { last: { number, at, text: row.error ?? `HTTP ${row.httpStatus} after ${row.durationMs} ms` } }),
  }
}
