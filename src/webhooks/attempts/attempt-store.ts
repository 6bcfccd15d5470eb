import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { MAX_SIGNING_KEYS } from '../rules.ts'
import type { Grant } from '../workflow-schema.ts'
import { afterFailure, PAUSE_REASON } from './auto-pause-rules.ts'
import { NOT_SENT_WHILE_PAUSED, TEST_EVENT, UNKNOWN_OUTCOME } from './delivery-rules.ts'
import { noticePending } from './notice-store.ts'
import { MAX_ATTEMPTS, nextTry } from './retry-schedule-rules.ts'

export type AttemptKey = Grant & { deliveryId: string }

/** What an attempt sends, where, and signed by which sealed keys, newest first. */
export type Opened = {
  webhookId: string
  url: string
  eventId: string
  body: string
  alias?: string
  sealed: Uint8Array[]
}

/**
 * Opens an attempt: commits that it started, before anything is sent. One statement, under the delivery's row lock.
 * Answers what to send, or why nothing is: the delivery is `gone`, its webhook is `paused`, the same attempt was
 * opened before and its outcome is not known (`dangling`), or it is not this attempt's turn (`stale`).
 */
export async function openAttempt(
  sql: Sql,
  key: AttemptKey,
  now: Instant,
): Promise<{ send: Opened } | { send?: undefined; why: 'gone' | 'paused' | 'dangling' | 'stale' }> {
  const { deliveryId, cycle, number, run } = key
  const [row] = await sql<(Opened & { turn: boolean; paused: boolean; opened: boolean })[]>`
    with target as (
      select d.delivery_id, d.alias, w.webhook_id, w.url, w.state = 'paused' as paused, e.event_id, e.body,
             d.status = 'pending' and d.cycle = ${cycle} and d.attempts + 1 = ${number} and d.faults + 1 = ${run} as turn
      from delivery d
      join webhook w using (webhook_id)
      join event e using (event_id)
      where d.delivery_id = ${deliveryId}
      for update of d
    ), opened as (
      insert into attempt (delivery_id, cycle, number, run, started_at)
      select delivery_id, ${cycle}, ${number}, ${run}, ${now} from target where turn and not paused
      on conflict do nothing
      returning delivery_id
    )
    select t.webhook_id as "webhookId", t.url, t.event_id as "eventId", t.body, t.alias, t.turn, t.paused,
           exists (select from opened) as opened,
           array(select s.sealed from webhook_secret s
                 where s.webhook_id = t.webhook_id and (s.signs_until is null or s.signs_until > ${now})
                 order by s.signs_until desc nulls first, s.secret_id desc limit ${MAX_SIGNING_KEYS}) as sealed
    from target t`
  if (!row) return { why: 'gone' }
  if (row.opened) return { send: { ...row, alias: row.alias ?? undefined } }
  if (!row.turn) return { why: 'stale' }
  return { why: row.paused ? 'paused' : 'dangling' }
}

/** What came of an attempt. `text` says it to a person. */
export type Outcome = {
  kind: 'succeeded' | 'failed' | 'platform'
  status?: number
  text: string
  durationMs: number
  response?: string
}

/**
 * Records a success: the delivery is done, and the webhook's failures in a row start again. One statement. A
 * success that comes after its attempt was given up as unknown still counts. Answers whether it settled the delivery:
 * a resend may have begun another cycle meanwhile.
 */
export async function recordSuccess(sql: Sql, key: AttemptKey, outcome: Outcome, at: Instant): Promise<boolean> {
  const { deliveryId, cycle, number, run } = key
  const rows = await sql`
    with recorded as (
      update attempt
      set finished_at = ${at}, outcome = 'succeeded', status = ${outcome.status ?? null},
          duration_ms = ${outcome.durationMs}, response = ${outcome.response ?? null}
      where delivery_id = ${deliveryId} and cycle = ${cycle} and number = ${number} and run = ${run}
        and (outcome is null or outcome = 'unknown')
      returning started_at
    ), restarted as (
      update webhook set failures_in_row = 0, first_failure_at = null
      where failures_in_row > 0 and exists (select from recorded)
        and webhook_id = (select d.webhook_id from delivery d where d.delivery_id = ${deliveryId})
    )
    update delivery
    set status = 'succeeded', attempts = ${number}, faults = 0, due_at = null, claimed_at = null,
        last_attempt_at = recorded.started_at, settled_at = ${at}, error = null
    from recorded
    where delivery_id = ${deliveryId} and cycle = ${cycle} and status = 'pending' and attempts <= ${number}
    returning 1`
  return rows.length > 0
}

/**
 * Records a failed attempt, or one whose outcome is unknown: the next try or the end of the ladder, and, for an attempt
 * that reached or failed to reach the endpoint, the webhook's streak. Answers whether that paused the webhook.
 */
export async function recordFailure(
  sql: Sql,
  key: AttemptKey,
  outcome: Omit<Outcome, 'kind'> & { kind: 'failed' | 'unknown' },
  at: Instant,
): Promise<{ pausedWebhook?: string }> {
  return await sql.begin(async (tx) => {
    const hook = await lockWebhook(tx, key.deliveryId)
    if (!hook || !(await closeAttempt(tx, key, outcome, at))) return {}
    const dueAt = nextTry(key.number, at)
    await tx`
      update delivery
      set attempts = ${key.number}, faults = 0, claimed_at = null, due_at = ${dueAt ?? null},
          status = ${dueAt ? 'pending' : 'failed'}, settled_at = ${dueAt ? null : at}, last_attempt_at = started_at,
          error = ${dueAt ? outcome.text : `All ${MAX_ATTEMPTS} attempts failed, the last with: ${outcome.text}`}
      from attempt a
      where delivery.delivery_id = ${key.deliveryId} and delivery.cycle = ${key.cycle}
        and delivery.status = 'pending'
        and a.delivery_id = delivery.delivery_id and a.cycle = ${key.cycle}
        and a.number = ${key.number} and a.run = ${key.run}`
    if (outcome.kind === 'unknown' || hook.test) return {}
    const streak = afterFailure({ ...hook, firstFailureAt: hook.firstFailureAt ?? undefined }, at)
    const pauses = streak.pauses && hook.state === 'active'
    await tx`
      update webhook
      set failures_in_row = ${streak.failuresInRow}, first_failure_at = ${streak.firstFailureAt},
          state = case when ${pauses} then 'paused' else state end,
          paused_at = case when ${pauses} then ${at}::timestamptz else paused_at end,
          paused_reason = case when ${pauses} then ${PAUSE_REASON} else paused_reason end
      where webhook_id = ${hook.webhookId}`
    if (!pauses) return {}
    await noticePending(tx, hook.webhookId, 'the webhook was paused', at)
    return { pausedWebhook: hook.webhookId }
  })
}

/** Records a fault of ours: shown in the log, and no attempt is used up; the next round tries again. */
export async function recordFault(sql: Sql, key: AttemptKey, text: string, at: Instant): Promise<void> {
  await sql.begin(async (tx) => {
    const closed = await closeAttempt(tx, key, { kind: 'platform', text, durationMs: 0 }, at)
    if (!closed) return
    await tx`
      update delivery set faults = faults + 1, claimed_at = null, error = ${text}
      where delivery_id = ${key.deliveryId} and cycle = ${key.cycle}`
  })
}

/** Ends a delivery that is due while its webhook is paused. */
export async function settleUnsent(sql: Sql, deliveryId: string, now: Instant): Promise<void> {
  await sql`
    update delivery
    set status = 'failed', not_sent = 'paused', due_at = null, claimed_at = null, settled_at = ${now},
        error = ${NOT_SENT_WHILE_PAUSED}
    where delivery_id = ${deliveryId} and status = 'pending'`
}

/** Records as failed an attempt that was opened and never closed; its failure is when it would have timed out. */
export async function recordUnknown(sql: Sql, key: AttemptKey, timeoutMs: number): Promise<{ pausedWebhook?: string }> {
  const [row] = await sql<{ at: Instant }[]>`
    select started_at + make_interval(secs => ${timeoutMs / 1000}) as at from attempt
    where delivery_id = ${key.deliveryId} and cycle = ${key.cycle} and number = ${key.number} and run = ${key.run}`
  if (!row) return {}
  return recordFailure(sql, key, { kind: 'unknown', text: UNKNOWN_OUTCOME, durationMs: timeoutMs }, row.at)
}

type Locked = {
  webhookId: string
  state: string
  failuresInRow: number
  firstFailureAt: Instant | null
  test: boolean
}

/** The webhook's row lock comes before the delivery's everywhere, so that two of them never wait for each other. */
async function lockWebhook(tx: Tx, deliveryId: string): Promise<Locked | undefined> {
  const [hook] = await tx<Locked[]>`
    select w.webhook_id as "webhookId", w.state, w.failures_in_row as "failuresInRow",
           w.first_failure_at as "firstFailureAt", e.type = ${TEST_EVENT} as test
    from delivery d
    join webhook w using (webhook_id)
    join event e using (event_id)
    where d.delivery_id = ${deliveryId}
    for update of w`
  return hook
}

async function closeAttempt(
  db: Db,
  key: AttemptKey,
  outcome: Omit<Outcome, 'kind'> & { kind: string },
  at: Instant,
): Promise<boolean> {
  const rows = await db`
    update attempt
    set finished_at = ${at}, outcome = ${outcome.kind}, status = ${outcome.status ?? null}, error = ${outcome.text},
        duration_ms = ${outcome.durationMs}, response = ${outcome.response ?? null}
    where delivery_id = ${key.deliveryId} and cycle = ${key.cycle} and number = ${key.number} and run = ${key.run}
      and outcome is null
    returning 1`
  return rows.length > 0
}
