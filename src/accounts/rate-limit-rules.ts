import { SECOND } from '../lib/instant.ts'

/** A token bucket: tokens per second, and how many it holds when full. */
export type RateLimit = { rate: number; burst: number }

/** The four buckets of the specification (Limits). A request must fit in every bucket that applies to it. */
export const RATE_LIMITS = {
  /** Per API key, and per signed-in user. */
  caller: { rate: 5, burst: 20 },
  /** Per workspace: all its keys and users together. */
  workspace: { rate: 10, burst: 40 },
  /** Price history, per key or user, in addition to the above. */
  history: { rate: 2, burst: 5 },
  /** Per client address: requests failing authentication, and sign-in. */
  address: { rate: 5, burst: 20 },
} as const satisfies Record<string, RateLimit>

export type BucketKind = keyof typeof RATE_LIMITS
/** One bucket: its kind and whose it is (a key's, user's or workspace's id, or a client address). */
export type Bucket = { kind: BucketKind; of: string }

/**
 * One token out of one bucket, as GCRA counts it: a bucket is the moment it will be full again.
 * Answers that moment after taking and the milliseconds to wait, 0 when the token was taken.
 */
export function takeToken(fullAt: number, now: number, limit: RateLimit): { fullAt: number; waitMs: number } {
  const interval = SECOND / limit.rate
  const from = Math.max(fullAt, now)
  const waitMs = from - now - (limit.burst - 1) * interval
  return waitMs > 0 ? { fullAt, waitMs } : { fullAt: from + interval, waitMs: 0 }
}

/** `retry-after` counts whole seconds: a client that waits them finds a token. */
export const retryAfter = (waitSeconds: number): number => Math.max(1, Math.ceil(waitSeconds))
