import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** A webhook whose last attempt failed, or that is paused, with the newest attempt that failed. */
export type FailingWebhook = {
  id: string
  name: string
  workspace: string
  state: 'active' | 'paused'
  failuresInRow: number
  firstFailureAt: Instant | null
  pausedReason: string | null
  /** Null where the log holds no failed attempt any more. */
  deliveryId: string | null
  attemptedAt: Instant | null
  reason: string | null
}

/** The failed attempt is looked for in this many of a webhook's newest deliveries. */
const NEWEST_DELIVERIES = 2_000

/** Returns webhooks of all workspaces that fail or are paused, those that fail most first. */
export async function failingWebhooks(db: Db, limit: number): Promise<FailingWebhook[]> {
  return db<FailingWebhook[]>`
    select w.webhook_id as id, w.name, s.name as workspace, w.state, w.failures_in_row as "failuresInRow",
           w.first_failure_at as "firstFailureAt", w.paused_reason as "pausedReason", failed.delivery_id as "deliveryId",
           failed.started_at as "attemptedAt", failed.error as reason
    from webhook w
    join workspace s using (workspace_id)
    left join lateral (
      select a.delivery_id, a.started_at, a.error
      from (select delivery_id from delivery where webhook_id = w.webhook_id
            order by created_at desc, delivery_id desc limit ${NEWEST_DELIVERIES}) as newest
      join attempt a using (delivery_id)
      where a.outcome in ('failed', 'unknown')
      order by a.started_at desc limit 1) as failed on true
    where w.failures_in_row > 0 or w.state = 'paused'
    order by w.failures_in_row desc, w.first_failure_at, w.webhook_id
    limit ${limit}`
}
