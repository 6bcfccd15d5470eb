import type { Instant } from '../../lib/instant.ts'
import type { EarlierPost } from '../attempts/outcome-schema.ts'

/** One attempt as the log shows it. `started`: it is being made; `unknown`: the sender stopped during it. */
type AttemptView = {
  /** Which cycle of six attempts: a resend starts the next. */
  cycle: number
  /** 1 to 6. */
  number: number
  at: Instant
  /** `platform` is an internal error: it uses up no attempt. */
  outcome: 'started' | 'succeeded' | 'failed' | 'unknown' | 'platform'
  status?: number
  error?: string
  durationMs?: number
  /** The first up to 1 KB of the response body. */
  response?: string
  /** POSTs of this attempt that got no answer and were repeated at once. */
  earlierPosts?: EarlierPost[]
  /** Every header as it was sent; absent in lists, and where the sender stopped before it was recorded. */
  headers?: Record<string, string>
}

/** Where an attempt stands among those of a delivery. Written `cycle.number.run`. */
export type AttemptPosition = { cycle: number; number: number; run: number }

/** Which deliveries are wanted. What is absent narrows nothing. */
export type DeliveryFilter = {
  /** A part of an id, a name, the body, or what was answered. */
  search?: string
  /** `failed`: every attempt failed. `notSent`: it was due while the webhook was paused. */
  status?: 'pending' | 'succeeded' | 'failed' | 'notSent'
  type?: string
  /** Created at or after it. */
  since?: Instant
  /** Created before it. */
  until?: Instant
}

/** A delivery as the log shows it (specification, Delivery). */
export type DeliveryView = {
  id: string
  eventId: string
  eventType: string
  /** What the event is about; absent in tests. */
  provider?: string
  /** The resource, the first of several, or the document. */
  subject?: string
  status: 'pending' | 'succeeded' | 'failed'
  /** Which cycle of six attempts: a resend starts the next. */
  cycle: number
  /** Failed because it was due while its webhook was paused. */
  notSent: boolean
  createdAt: Instant
  /** When the next attempt is due; it goes out with the first round after that. */
  nextTryAt?: Instant
  finishedAt?: Instant
  /** What the last attempt got, or why the delivery failed. */
  error?: string
  attempts: AttemptView[]
  /** There are attempts before these: what to ask for them with. */
  olderAttempts?: string
  payloadBytes: number
  /** The exact body sent, when it is small; else it is read by itself. */
  payload?: string
}

/** What became of deliveries. `retrying`: an attempt failed and another follows. */
type DeliveryCounts = { succeeded: number; failed: number; retrying: number; notSent: number }
/** How long answers took: of a sample. */
export type AnswerTimes = { medianMs: number; p95Ms: number }
/** What became of the deliveries that were created in an hour or a day, which begins `at`. */
export type StepCounts = DeliveryCounts & { at: Instant }
/** `steps` has every hour of a day, or every day of a month, in order. */
export type PeriodStatistics = DeliveryCounts & Partial<AnswerTimes> & { steps: StepCounts[] }
export type LastAttempt = { deliveryId: string; at: Instant; succeeded: boolean; status?: number; error?: string }

/** How the deliveries of a webhook go. */
export type WebhookStatistics = {
  webhookId: string
  /** Deliveries that were created in the last 24 hours. */
  day: PeriodStatistics
  /** In the last 30 days. */
  month: PeriodStatistics
  lastAttempt?: LastAttempt
}
