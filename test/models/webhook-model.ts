/** What the specification's table "States and transitions" says of webhooks and their deliveries. Times are in ms. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** "retry waits: 5 min, 30 min, 2 h, 8 h, 24 h after the preceding failure" */
const RETRY_WAITS = [5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR]

export type Outcome = 'succeeded' | 'failed' | 'unknown'

export type ModelDelivery = {
  eventId: string
  test: boolean
  status: 'pending' | 'succeeded' | 'failed'
  notSent: boolean
  cycle: number
  /** Outcomes of this cycle. */
  attempts: Outcome[]
  /** While it is pending: when its next attempt is due. */
  dueAt: number
  /** What its 30 days in the log count from. */
  touchedAt: number
  wasAttempted: boolean
  /** An attempt began at this time and its sender crashed: whether the receiver has it is not known. */
  crashedAt?: number
}

export type ModelWebhook = {
  state: 'active' | 'paused'
  failures: number
  firstFailureAt?: number
  /** Newest first, with the end of the time that the key signs. */
  keys: { secret: string; until?: number }[]
  eventTypes: string[]
  deliveries: Map<string, ModelDelivery>
  /** Events that were published for it and that no check has found yet. */
  published: string[]
}

export const newWebhook = (secret: string, eventTypes: string[]): ModelWebhook => ({
  state: 'active',
  failures: 0,
  keys: [{ secret }],
  eventTypes,
  deliveries: new Map(),
  published: [],
})

/** "A webhook receives only changes published after it was created." "Editing a webhook affects future events only." */
export function publish(webhook: ModelWebhook, eventId: string, type: string): void {
  if (webhook.eventTypes.includes(type)) webhook.published.push(eventId)
}

const fresh = (eventId: string, test: boolean, now: number): ModelDelivery => ({
  ...{ eventId, test, status: 'pending', notSent: false, cycle: 1 },
  ...{ attempts: [], dueAt: now, touchedAt: now, wasAttempted: false },
})

/** "a change's first attempt is made in the check that finds it" */
export function findPublished(webhook: ModelWebhook, now: number): void {
  for (const eventId of webhook.published) webhook.deliveries.set(eventId, fresh(eventId, false, now))
  webhook.published = []
}

export const isDue = (delivery: ModelDelivery, now: number): boolean =>
  delivery.status === 'pending' && delivery.dueAt <= now

/** One attempt and what it does to its delivery and to the webhook. */
export function attempt(
  webhook: ModelWebhook,
  delivery: ModelDelivery,
  outcome: Outcome,
  { began, ended }: { began: number; ended: number },
): void {
  delivery.attempts.push(outcome)
  delivery.touchedAt = began
  delivery.wasAttempted = true
  delivery.crashedAt = undefined
  if (outcome === 'succeeded') {
    delivery.status = 'succeeded'
    restartCount(webhook)
    return
  }
  const wait = RETRY_WAITS[delivery.attempts.length - 1]
  if (wait === undefined) delivery.status = 'failed'
  else delivery.dueAt = ended + wait
  if (outcome === 'failed' && !delivery.test) countFailure(webhook, ended)
}

/** An attempt that began before a crash may have reached the receiver: from the next check on it failed, unknown why. */
export function recordCrashes(webhook: ModelWebhook): void {
  for (const delivery of webhook.deliveries.values()) {
    if (delivery.crashedAt === undefined) continue
    const [began, ended] = [delivery.crashedAt, delivery.crashedAt + 5_000]
    attempt(webhook, delivery, 'unknown', { began, ended })
  }
}

/** "5 attempts in a row failed and the first of them is at least 24 hours before the last" */
function countFailure(webhook: ModelWebhook, at: number): void {
  webhook.failures++
  webhook.firstFailureAt ??= at
  if (webhook.failures >= 5 && at - webhook.firstFailureAt >= 24 * HOUR) webhook.state = 'paused'
}

/** "failure count restarts": with any successful attempt and with another URL. */
export function restartCount(webhook: ModelWebhook): void {
  webhook.failures = 0
  webhook.firstFailureAt = undefined
}

/** "delivery due while paused: failed, error text says not sent because the webhook is paused" */
export function failDueWhilePaused(webhook: ModelWebhook, now: number): void {
  if (webhook.state !== 'paused') return
  for (const delivery of webhook.deliveries.values()) {
    if (!isDue(delivery, now)) continue
    delivery.status = 'failed'
    delivery.notSent = true
    if (!delivery.wasAttempted) delivery.touchedAt = now
  }
}

export function pause(webhook: ModelWebhook): void {
  webhook.state = 'paused'
}

export function resume(webhook: ModelWebhook): void {
  webhook.state = 'active'
}

/** "restarts every delivery … that was not sent while paused and reports how many" */
export function resumeAndResend(webhook: ModelWebhook, now: number): number {
  const due = [...webhook.deliveries.values()].filter((delivery) => webhook.state === 'paused' && isDue(delivery, now))
  resume(webhook)
  const unsent = [...webhook.deliveries.values()].filter((delivery) => delivery.notSent)
  for (const delivery of unsent) resend(delivery, now)
  return unsent.length + due.length
}

/** "same event id and body, new timestamp and signature, all 6 attempts again; log retention restarts" */
export function resend(delivery: ModelDelivery, now: number): void {
  Object.assign(delivery, { status: 'pending', notSent: false, attempts: [], dueAt: now, touchedAt: now })
  delivery.crashedAt = undefined
  delivery.cycle++
}

/** "Tests within the same minute share one event"; one that was not sent while paused is sent when it is repeated. */
export function sendTest(webhook: ModelWebhook, eventId: string, now: number): void {
  const known = webhook.deliveries.get(eventId)
  if (!known) webhook.deliveries.set(eventId, fresh(eventId, true, now))
  else if (known.notSent) resend(known, now)
}

/** "two keys valid for 24 hours … afterwards only the new key signs" */
export function rotate(webhook: ModelWebhook, secret: string, now: number): void {
  const [newest] = webhook.keys
  webhook.keys = [{ secret }, { secret: newest!.secret, until: now + 24 * HOUR }]
}

export const signingSecrets = (webhook: ModelWebhook, now: number): string[] =>
  webhook.keys.filter(({ until = Number.POSITIVE_INFINITY }) => until > now).map(({ secret }) => secret)

/** "30 days after its last attempt: deleted" */
export function forgetOld(webhook: ModelWebhook, now: number): void {
  for (const [eventId, { status, touchedAt }] of webhook.deliveries)
    if (status !== 'pending' && touchedAt <= now - 30 * DAY) webhook.deliveries.delete(eventId)
}
