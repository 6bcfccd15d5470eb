import { setTimeout as sleep } from 'node:timers/promises'
import { epochMs, type Instant, plus } from '../../lib/instant.ts'
import { DELIVERY_TIMEOUT_MS } from '../../lib/safe-fetch/post.ts'
import type { PostOutcome, SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { unseal } from '../../lib/seal.ts'
import type { Sql } from '../../lib/sql.ts'
import type { EndedAttempt } from '../rounds/round-schema.ts'
import type { AttemptKey, DeliveryState } from '../workflow-schema.ts'
import { type AttemptRequest, openAttempt } from './attempt-store.ts'
import { bodyOf, UNKNOWN_OUTCOME } from './delivery-rules.ts'
import { deliveryState } from './delivery-state-store.ts'
import type { AttemptOutcome } from './outcome-schema.ts'
import { failUnsent, recordFault, recordSuccess } from './outcome-store.ts'
import { recordFailure, recordUnknown } from './record-failure.ts'
import { signedHeaders } from './signing.ts'

/** An outcome is worth keeping: recording it is tried again after these waits before it is left unknown. */
const RECORD_WAITS_MS = [100, 500, 2_000]

export type AttemptTools = { sql: Sql; post: SafeFetch['post']; secretKey: Uint8Array }
/** What the delivery is after an attempt, the webhook that its failure paused, and what was sent. */
export type AttemptResult = { state: DeliveryState; pausedWebhook?: string; made?: MadeAttempt }

/** An attempt for monitoring: nothing of it is a secret. */
type MadeAttempt = Pick<AttemptOutcome, 'status' | 'text'> & {
  result: AttemptOutcome['kind']
  webhookId?: string
  eventId?: string
  /** Where it was sent. The path of a URL may hold a token of its owner. */
  host?: string
  durationMs?: number
  /** How long it was due before it was sent. */
  lagMs?: number
  /** The same from its publication, of a first attempt to an endpoint that took the last one. */
  sincePublicationMs?: number
}

/**
 * Makes one attempt of a delivery: commits that it started, sends, records the outcome. Doing the same attempt again
 * sends nothing: an attempt that was opened and never closed is recorded as unknown.
 * @param now the workflow's time: all instants of the attempt follow from it
 */
export async function attemptDelivery(tools: AttemptTools, key: AttemptKey, now: Instant): Promise<AttemptResult> {
  const { sql } = tools
  const began = performance.now()
  const opened = await openAttempt(sql, key, now)
  if (opened.request) {
    const startedAt = performance.now()
    const outcome = await send(tools, opened.request, now)
    const at = plus(now, Math.round(performance.now() - startedAt))
    const sentAt = epochMs(now) + (startedAt - began)
    const made = madeOf(opened.request, outcome, sentAt)
    return { ...(await record(sql, key, outcome, now, at)), made }
  }
  if (opened.refusal === 'paused') await failUnsent(sql, key, now)
  if (opened.refusal !== 'dangling') return { state: await deliveryState(sql, key.deliveryId) }
  const recorded = await recordUnknown(sql, key, DELIVERY_TIMEOUT_MS)
  const made = { result: 'unknown', text: UNKNOWN_OUTCOME } as const
  return { ...recorded, state: await deliveryState(sql, key.deliveryId), made }
}

/**
 * Returns how an attempt ended for the round that granted it; undefined where only the delivery's row says so, as after a
 * resend that began meanwhile.
 */
export function endOf({ made, state }: AttemptResult): Pick<EndedAttempt, 'outcome' | 'tookMs' | 'fault'> | undefined {
  if (!made) return state.notSent || state.status === 'gone' ? { outcome: 'unclear' } : undefined
  const { result, durationMs: tookMs, text } = made
  if (result === 'succeeded') return state.status === 'succeeded' ? { outcome: 'succeeded', tookMs } : undefined
  if (result === 'platform') return { outcome: 'unclear', fault: text }
  return result === 'failed' ? { outcome: 'failed', tookMs } : undefined
}

const madeOf = (
  { webhookId, eventId, url, dueAt, promisedFrom }: AttemptRequest,
  { kind, status, durationMs, text }: AttemptOutcome,
  sentAt: number,
): MadeAttempt => ({
  result: kind,
  webhookId,
  eventId,
  host: new URL(url).host,
  status,
  durationMs,
  lagMs: Math.round(sentAt - epochMs(dueAt)),
  ...(promisedFrom && { sincePublicationMs: Math.round(sentAt - epochMs(promisedFrom)) }),
  text,
})

async function send({ post, secretKey }: AttemptTools, request: AttemptRequest, now: Instant): Promise<AttemptOutcome> {
  const { webhookId, eventId: id, url } = request
  const body = bodyOf(request.body, request.alias)
  try {
    const secrets = request.sealed.map((sealed) => unseal(secretKey, sealed, `webhook/${webhookId}`))
    const headers = signedHeaders({ id, secrets, at: Date.now(), body })
    const signed = { timestamp: headers['webhook-timestamp']!, signature: headers['webhook-signature']! }
    return { ...outcomeOf(await post(url, { headers, body, endpoint: webhookId }), now), signed, url }
  } catch (error) {
    return { kind: 'platform', text: `Our fault: ${(error as Error).message}`, durationMs: 0 }
  }
}

/** Only a 2xx status within the deadline is a success (specification, States and transitions). */
function outcomeOf(outcome: PostOutcome, now: Instant): AttemptOutcome {
  const earlierPosts = outcome.earlierPosts?.map(({ startedAfterMs, message, durationMs }) => ({
    startedAt: plus(now, startedAfterMs),
    error: message,
    durationMs,
  }))
  if (outcome.kind === 'platform') return { kind: 'platform', text: outcome.message, durationMs: 0, earlierPosts }
  const { status, durationMs, response } = outcome
  if (outcome.kind === 'failed')
    return { kind: 'failed', status, durationMs, response, earlierPosts, text: outcome.message }
  const kind = outcome.status >= 200 && outcome.status < 300 ? 'succeeded' : 'failed'
  return { kind, status, durationMs, response, earlierPosts, text: `HTTP ${status} after ${durationMs} ms` }
}

async function record(
  sql: Sql,
  key: AttemptKey,
  outcome: AttemptOutcome,
  now: Instant,
  at: Instant,
): Promise<AttemptResult> {
  const { kind } = outcome
  if (kind === 'succeeded') {
    const last = { number: key.number, at: now, text: outcome.text }
    if (await retrying(() => recordSuccess(sql, key, outcome, at)))
      return { state: { status: 'succeeded', attempts: key.number, last } }
  } else if (kind === 'platform') {
    await retrying(() => recordFault(sql, key, outcome, at))
  } else {
    const recorded = await retrying(() => recordFailure(sql, key, { ...outcome, kind }, at))
    return { ...recorded, state: await deliveryState(sql, key.deliveryId) }
  }
  return { state: await deliveryState(sql, key.deliveryId) }
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (const wait of RECORD_WAITS_MS) {
    try {
      return await work()
    } catch {
      await sleep(wait)
    }
  }
  return work()
}
