import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import type { AttemptKey } from '../workflow-schema.ts'
import { PAUSE_REASON, type Streak } from './auto-pause-rules.ts'
import { NOT_SENT_WHILE_PAUSED, TEST_EVENT } from './delivery-rules.ts'
import type { AttemptOutcome } from './outcome-schema.ts'

/**
 * Records a success: the delivery is finished, and the webhook's failures in a row start again. One statement. A
 * success that comes after its attempt was given up as unknown still counts, also when it was the last one and the
 * delivery failed with it. Returns whether it finished the delivery: a resend may have started another cycle meanwhile.
 */
export async function recordSuccess(sql: Sql, key: AttemptKey, outcome: AttemptOutcome, at: Instant): Promise<boolean> {
  const { deliveryId, cycle, number, run } = key
  // Each step reads from the one before it, so that the locks are taken in the room's order (README.md).
  const rows = await sql`
    with streak as materialized (
      select w.webhook_id from delivery d join webhook w using (webhook_id)
      where d.delivery_id = ${deliveryId} and w.failures_in_row > 0
      for no key update of w
    ), locked as materialized (
      select delivery_id from delivery
      where delivery_id = ${deliveryId} and (select count(*) from streak) >= 0
      for no key update
    ), recorded as (
      update attempt a
      set finished_at = ${at}, outcome = 'succeeded', status = ${outcome.status ?? null}, error = null,
          duration_ms = ${outcome.durationMs}, response = ${outcome.response ?? null},
          earlier_posts = ${earlierPosts(sql, outcome)}, ${signedAt(sql, outcome)}
      from locked
      where a.delivery_id = locked.delivery_id and a.cycle = ${cycle} and a.number = ${number} and a.run = ${run}
        and (a.outcome is null or a.outcome = 'unknown')
      returning a.started_at
    ), restarted as (
      update webhook w set failures_in_row = 0, first_failure_at = null
      from streak
      where w.webhook_id = streak.webhook_id and exists (select from recorded)
    )
    update delivery
    set status = 'succeeded', attempts = ${number}, faults = 0, due_at = null, claimed_at = null,
        last_attempt_at = recorded.started_at, finished_at = ${at}, error = null
    from recorded
    where delivery_id = ${deliveryId} and cycle = ${cycle}
      and (status = 'pending' and attempts <= ${number}
           or status = 'failed' and not_sent is null and attempts = ${number})
    returning 1`
  return rows.length > 0
}

/** The webhook of a delivery, locked, with what a failure needs to know of it. */
export type LockedWebhook = {
  webhookId: string
  url: string
  state: string
  failuresInRow: number
  firstFailureAt: Instant | null
  /** The delivery is a test: it never counts toward pausing. */
  test: boolean
}

export async function lockWebhookOf(tx: Tx, deliveryId: string): Promise<LockedWebhook | undefined> {
  const [webhook] = await tx<LockedWebhook[]>`
    select w.webhook_id as "webhookId", w.url, w.state, w.failures_in_row as "failuresInRow",
           w.first_failure_at as "firstFailureAt", e.type = ${TEST_EVENT} as test
    from delivery d
    join webhook w using (webhook_id)
    join event e using (event_id)
    where d.delivery_id = ${deliveryId}
    for no key update of w`
  return webhook
}

/** Locks the delivery and closes its attempt. Returns when the attempt started; undefined when it was closed before. */
export async function closeAttempt(
  tx: Tx,
  key: AttemptKey,
  outcome: AttemptOutcome,
  at: Instant,
): Promise<Instant | undefined> {
  const [closed] = await tx<{ startedAt: Instant }[]>`
    with locked as materialized (
      select delivery_id from delivery where delivery_id = ${key.deliveryId} for no key update
    )
    update attempt a
    set finished_at = ${at}, outcome = ${outcome.kind}, status = ${outcome.status ?? null}, error = ${outcome.text},
        duration_ms = ${outcome.durationMs}, response = ${outcome.response ?? null},
        earlier_posts = ${earlierPosts(tx, outcome)}, ${signedAt(tx, outcome)}
    from locked
    where a.delivery_id = locked.delivery_id and a.cycle = ${key.cycle} and a.number = ${key.number} and a.run = ${key.run}
      and a.outcome is null
    returning a.started_at as "startedAt"`
  return closed?.startedAt
}

/** A failed attempt of a delivery: it is due again at `dueAt`, or failed for good without one. */
export async function saveFailure(
  tx: Tx,
  key: AttemptKey,
  failure: { startedAt: Instant; at: Instant; dueAt: Instant | undefined; error: string },
): Promise<void> {
  const { startedAt, at, dueAt, error } = failure
  await tx`
    update delivery
    set attempts = ${key.number}, faults = 0, claimed_at = null, due_at = ${dueAt ?? null},
        status = ${dueAt ? 'pending' : 'failed'}, finished_at = ${dueAt ? null : at}, last_attempt_at = ${startedAt},
        error = ${error}
    where delivery_id = ${key.deliveryId} and cycle = ${key.cycle} and status = 'pending'`
}

/** The webhook's failures in a row, and its pause when they are too many. */
export async function saveStreak(
  tx: Tx,
  webhookId: string,
  streak: Required<Streak> & { pauses: boolean },
  at: Instant,
): Promise<void> {
  const { failuresInRow, firstFailureAt, pauses } = streak
  await tx`
    update webhook
    set failures_in_row = ${failuresInRow}, first_failure_at = ${firstFailureAt},
        state = case when ${pauses} then 'paused' else state end,
        paused_at = case when ${pauses} then ${at}::timestamptz else paused_at end,
        paused_reason = case when ${pauses} then ${PAUSE_REASON} else paused_reason end
    where webhook_id = ${webhookId}`
}

/** Records an internal error: shown in the log, no attempt is used up, and the next round tries again. One statement. */
export async function recordFault(db: Db, key: AttemptKey, outcome: AttemptOutcome, at: Instant): Promise<void> {
  const { deliveryId, cycle, number, run } = key
  await db`
    with locked as materialized (
      select delivery_id from delivery where delivery_id = ${deliveryId} for no key update
    ), closed as (
      update attempt a
      set finished_at = ${at}, outcome = 'platform', error = ${outcome.text}, duration_ms = ${outcome.durationMs},
          earlier_posts = ${earlierPosts(db, outcome)}, ${signedAt(db, outcome)}
      from locked
      where a.delivery_id = locked.delivery_id and a.cycle = ${cycle} and a.number = ${number} and a.run = ${run}
        and a.outcome is null
      returning 1
    )
    update delivery d set faults = faults + 1, claimed_at = null, error = ${outcome.text}
    from closed
    where d.delivery_id = ${deliveryId} and d.cycle = ${cycle} and d.status = 'pending'`
}

/**
 * Fails a delivery whose attempt found the webhook paused: it is not sent. When the webhook has been resumed meanwhile,
 * the delivery stays pending and is free for the next round. A resend that began meanwhile is left alone.
 */
export async function failUnsent(db: Db, key: AttemptKey, now: Instant): Promise<void> {
  const { deliveryId, cycle, number, run } = key
  await db`
    with hook as materialized (
      select w.state = 'paused' as paused from delivery d join webhook w using (webhook_id)
      where d.delivery_id = ${deliveryId}
      for no key update of w
    )
    update delivery d
    set claimed_at = null,
        status = case when hook.paused then 'failed' else d.status end,
        not_sent = case when hook.paused then 'paused' end,
        due_at = case when not hook.paused then d.due_at end,
        finished_at = case when hook.paused then ${now}::timestamptz end,
        error = case when hook.paused then ${NOT_SENT_WHILE_PAUSED} else d.error end
    from hook
    where d.delivery_id = ${deliveryId} and d.status = 'pending' and d.cycle = ${cycle}
      and d.attempts + 1 = ${number} and d.faults + 1 = ${run}
      and not exists (select from attempt a where a.delivery_id = ${deliveryId} and a.cycle = ${cycle}
                        and a.number = ${number} and a.run = ${run})`
}

/** When an attempt started; undefined when it was never opened, or its delivery was deleted. */
export async function attemptStart(db: Db, key: AttemptKey): Promise<Instant | undefined> {
  const [row] = await db<{ startedAt: Instant }[]>`
    select started_at as "startedAt" from attempt
    where delivery_id = ${key.deliveryId} and cycle = ${key.cycle} and number = ${key.number} and run = ${key.run}`
  return row?.startedAt
}

const earlierPosts = (db: Db, { earlierPosts: posts }: AttemptOutcome) =>
  posts && posts.length > 0 ? db.json(posts) : null

const signedAt = (db: Db, { signed }: AttemptOutcome) => db`
  webhook_timestamp = ${signed?.timestamp ?? null}, webhook_signature = ${signed?.signature ?? null}`
