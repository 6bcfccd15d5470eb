import type { DAY, HOUR, Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { AnswerTimes, LastAttempt, StepCounts } from './delivery-schema.ts'

/** Hours of a day, or days of a month. */
export type Period = { since: Instant; until: Instant; step: typeof HOUR | typeof DAY }
type Count = StepCounts & { webhookId: string }

/**
 * What became of the deliveries of each webhook of a workspace, by the hour or day of a period in which they were created. Only
 * rows of `delivery` are read: the attempts of a month are too many to be read every minute.
 */
export const countDeliveries = (db: Db, workspaceId: string, { since, until, step }: Period): Promise<Count[]> =>
  db<Count[]>`
    select w.webhook_id as "webhookId", made.*
    from webhook w
    cross join lateral (
      select least(date_bin(${`${step} ms`}::interval, created_at, ${since}::timestamptz),
                   ${until}::timestamptz - ${`${step} ms`}::interval) as at,
             count(*) filter (where status = 'succeeded')::integer as succeeded,
             count(*) filter (where status = 'failed' and not_sent is null)::integer as failed,
             count(*) filter (where status = 'pending' and attempts > 0)::integer as retrying,
             count(*) filter (where not_sent is not null)::integer as "notSent"
      from delivery where webhook_id = w.webhook_id and created_at >= ${since}
      group by 1) as made
    where workspace_id = ${workspaceId}
    order by w.created_at, w.webhook_id, at`

/** The webhooks of a workspace, the oldest first. */
export const listWebhookIds = async (db: Db, workspaceId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select webhook_id as id from webhook where workspace_id = ${workspaceId} order by created_at, webhook_id`
  return rows.map(({ id }) => id)
}

/** Deliveries of each hour or day whose attempts are looked at for the times of a webhook's answers. */
const SAMPLED = 10

type Times = AnswerTimes & { webhookId: string }

/** How long the endpoints of a workspace took to answer: a sample of each hour or day of a period. */
export const sampleAnswerTimes = (db: Db, workspaceId: string, { since, until, step }: Period): Promise<Times[]> =>
  db<Times[]>`
    select webhook_id as "webhookId", round(percentile_cont(0.5) within group (order by duration_ms))::integer as "medianMs",
           round(percentile_cont(0.95) within group (order by duration_ms))::integer as "p95Ms"
    from webhook
    cross join generate_series(${since}::timestamptz, ${until}::timestamptz, ${`${step} ms`}::interval) as start
    cross join lateral (
      select delivery_id from delivery
      where delivery.webhook_id = webhook.webhook_id and created_at >= start
        and created_at < start + ${`${step} ms`}::interval
      order by created_at desc limit ${SAMPLED}) as sample
    cross join lateral (
      select duration_ms from attempt
      where attempt.delivery_id = sample.delivery_id and outcome in ('succeeded', 'failed') and duration_ms is not null) as answer
    where workspace_id = ${workspaceId}
    group by webhook_id`

type Last = Omit<LastAttempt, 'status' | 'error'> & { webhookId: string; status: number | null; error: string | null }

/** The last attempt for each webhook of a workspace that any was made for. Our own faults do not count. */
export async function lastAttempts(db: Db, workspaceId: string): Promise<(LastAttempt & { webhookId: string })[]> {
  const rows = await db<Last[]>`
    select webhook_id as "webhookId", d.delivery_id as "deliveryId", a.started_at as at,
           a.outcome = 'succeeded' as succeeded, a.status, a.error
    from webhook w
    cross join lateral (
      select delivery_id from (
        select delivery_id, last_attempt_at from delivery
        where webhook_id = w.webhook_id and last_attempt_at is not null
        order by created_at desc limit ${LOOKED_AT}) as newest
      order by last_attempt_at desc limit 1) as d
    cross join lateral (
      select * from attempt
      where attempt.delivery_id = d.delivery_id and outcome in ('succeeded', 'failed', 'unknown')
      order by started_at desc limit 1) as a
    where workspace_id = ${workspaceId}`
  return rows.map(({ status, error, ...row }) => ({
    ...row,
    ...(status !== null && { status }),
    ...(error !== null && { error }),
  }))
}

/** The newest deliveries, among which the one attempted last is looked for: those before them wait for retries at most. */
const LOOKED_AT = 1_000
