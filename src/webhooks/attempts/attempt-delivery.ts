import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, plus } from '../../lib/instant.ts'
import { DELIVERY_TIMEOUT_MS } from '../../lib/safe-fetch/post.ts'
import type { PostOutcome, SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { unseal } from '../../lib/seal.ts'
import type { Sql } from '../../lib/sql.ts'
import type { Standing } from '../workflow-schema.ts'
import {
  type AttemptKey,
  type Opened,
  type Outcome,
  openAttempt,
  recordFailure,
  recordFault,
  recordSuccess,
  recordUnknown,
  settleUnsent,
} from './attempt-store.ts'
import { bodyOf } from './delivery-rules.ts'
import { standingOf } from './delivery-state-store.ts'
import { signedHeaders } from './signing.ts'

/** An outcome is worth keeping: recording it is tried again for this long before it is left unknown. */
const RECORD_WAITS_MS = [100, 500, 2_000]

export type AttemptTools = { sql: Sql; post: SafeFetch['post']; secretKey: Uint8Array }
export type Attempted = { standing: Standing; pausedWebhook?: string }

/**
 * Makes one attempt of a delivery: commits that it started, sends, records what came of it. Doing the same attempt
 * again sends nothing: an attempt that was opened and never closed is recorded as unknown.
 * @param now the workflow's time: all instants of the attempt follow from it
 */
export async function attemptDelivery(tools: AttemptTools, key: AttemptKey, now: Instant): Promise<Attempted> {
  const { sql } = tools
  const opened = await openAttempt(sql, key, now)
  if (opened.send) {
    const startedAt = performance.now()
    const outcome = await send(tools, opened.send)
    const at = plus(now, Math.round(performance.now() - startedAt))
    return record(sql, key, outcome, now, at)
  }
  if (opened.why === 'paused') await settleUnsent(sql, key.deliveryId, now)
  const recorded = opened.why === 'dangling' ? await recordUnknown(sql, key, DELIVERY_TIMEOUT_MS) : {}
  return { ...recorded, standing: await standingOf(sql, key.deliveryId) }
}

async function send({ post, secretKey }: AttemptTools, opened: Opened): Promise<Outcome> {
  const { webhookId, eventId: id, url } = opened
  const body = bodyOf(opened.body, opened.alias)
  try {
    const secrets = opened.sealed.map((sealed) => unseal(secretKey, sealed, `webhook/${webhookId}`))
    const headers = signedHeaders({ id, secrets, at: Date.now(), body })
    return outcomeOf(await post(url, { headers, body, endpoint: webhookId }))
  } catch (error) {
    return { kind: 'platform', text: `A fault of ours: ${(error as Error).message}`, durationMs: 0 }
  }
}

/** Only a 2xx status within the deadline is a success (specification, States and transitions). */
function outcomeOf(outcome: PostOutcome): Outcome {
  if (outcome.kind === 'platform') return { kind: 'platform', text: outcome.message, durationMs: 0 }
  const { status, durationMs } = outcome
  if (outcome.kind === 'failed')
    return { kind: 'failed', status, durationMs, text: outcome.message, response: outcome.response }
  const succeeded = outcome.status >= 200 && outcome.status < 300
  const text = `HTTP ${status} after ${durationMs} ms`
  return { kind: succeeded ? 'succeeded' : 'failed', status, durationMs, text, response: outcome.response }
}

async function record(sql: Sql, key: AttemptKey, outcome: Outcome, now: Instant, at: Instant): Promise<Attempted> {
  const last = { number: key.number, at: now, text: outcome.text }
  if (outcome.kind === 'succeeded') {
    if (await insisting(() => recordSuccess(sql, key, outcome, at)))
      return { standing: { status: 'succeeded', attempts: key.number, last } }
  } else if (outcome.kind === 'failed') {
    const { kind } = outcome
    const { pausedWebhook } = await insisting(() => recordFailure(sql, key, { ...outcome, kind }, at))
    return { standing: await standingOf(sql, key.deliveryId), pausedWebhook }
  } else {
    await insisting(() => recordFault(sql, key, outcome.text, at))
  }
  return { standing: await standingOf(sql, key.deliveryId) }
}

async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of RECORD_WAITS_MS) {
    try {
      return await work()
    } catch {
      await sleep(wait)
    }
  }
  return work()
}
