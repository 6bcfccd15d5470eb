import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { AttemptKey } from '../workflow-schema.ts'
import { afterFailure } from './auto-pause-rules.ts'
import { UNKNOWN_OUTCOME } from './delivery-rules.ts'
import { mailPause } from './mail-pauses.ts'
import { noticePending } from './notice-store.ts'
import type { AttemptOutcome } from './outcome-schema.ts'
import {
  attemptStart,
  closeAttempt,
  type LockedWebhook,
  lockWebhookOf,
  saveFailure,
  saveStreak,
} from './outcome-store.ts'
import { MAX_ATTEMPTS, nextTry } from './retry-schedule-rules.ts'

/**
 * Records a failed attempt, or one whose outcome is unknown: when the next try is due, or that the delivery failed. An
 * attempt that reached or failed to reach the webhook also counts in its streak. Returns the webhook when that paused it.
 */
export async function recordFailure(
  sql: Sql,
  key: AttemptKey,
  outcome: AttemptOutcome & { kind: 'failed' | 'unknown' },
  at: Instant,
): Promise<{ pausedWebhook?: string }> {
  return await sql.begin(async (tx) => {
    const webhook = await lockWebhookOf(tx, key.deliveryId)
    const startedAt = webhook && (await closeAttempt(tx, key, outcome, at))
    if (!startedAt) return {}
    const dueAt = nextTry(key.number, at)
    const error = dueAt ? outcome.text : `All ${MAX_ATTEMPTS} attempts failed, the last with: ${outcome.text}`
    await saveFailure(tx, key, { startedAt, at, dueAt, error })
    if (!counts(webhook, outcome)) return {}

    const streak = afterFailure({ ...webhook, firstFailureAt: webhook.firstFailureAt ?? undefined }, at)
    const pauses = streak.pauses && webhook.state === 'active'
    await saveStreak(tx, webhook.webhookId, { ...streak, pauses }, at)
    if (!pauses) return {}
    await mailPause(tx, webhook.webhookId, at)
    await noticePending(tx, webhook.webhookId, 'the webhook was paused', at)
    return { pausedWebhook: webhook.webhookId }
  })
}

/** Records as failed an attempt that was opened and never closed. Its failure is when it would have timed out. */
export async function recordUnknown(sql: Sql, key: AttemptKey, timeoutMs: number): Promise<{ pausedWebhook?: string }> {
  const startedAt = await attemptStart(sql, key)
  if (!startedAt) return {}
  const outcome = { kind: 'unknown', text: UNKNOWN_OUTCOME, durationMs: timeoutMs } as const
  return recordFailure(sql, key, outcome, plus(startedAt, timeoutMs))
}

/** Tests never count, nor do attempts whose outcome is unknown, nor those at a URL that was replaced meanwhile. */
const counts = (webhook: LockedWebhook, outcome: AttemptOutcome): boolean =>
  outcome.kind === 'failed' && !webhook.test && (outcome.url === undefined || outcome.url === webhook.url)
