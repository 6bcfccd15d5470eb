import { SECOND } from '../../lib/instant.ts'

/** A token bucket: tokens per second, and how many it holds when full. */
export type RateLimit = { rate: number; burst: number }

/** The buckets of the specification (Limits), and that of the log. A request must fit in every bucket that applies to it. */
export const RATE_LIMITS = {
  /** Per API key, and per signed-in user. */
  caller: { rate: 5, burst: 20 },
  /** Per workspace: all its keys and users together. */
  workspace: { rate: 10, burst: 40 },
  /** Price history, per key or user, in addition to the above. */
  history: { rate: 2, burst: 5 },
  /** The publication log: per client address, and per key or user in the place of the above for proofs of rows. */
  log: { rate: 100, burst: 200 },
  /** Per client address: requests failing authentication, and sign-in. */
  address: { rate: 5, burst: 20 },
} as const satisfies Record<string, RateLimit>

/** What a request is counted as: `usual`, a read of the price history too, or one of the log. */
export type RequestLimit = 'usual' | 'history' | 'log'

export type BucketKind = keyof typeof RATE_LIMITS
/** A bucket and its owner: the id of a key, user or workspace, or a client address. */
export type Bucket = { kind: BucketKind; owner: string }

/**
 * Takes one token out of a bucket (GCRA: a bucket is the moment it will be full again). That moment is never later than
 * it is for an empty bucket, so a clock that steps back costs a client one token's time and no more.
 * Returns the moment after taking, and the milliseconds to wait: 0 when the token was taken.
 */
export function takeToken(fullAt: number, now: number, limit: RateLimit): { fullAt: number; waitMs: number } {
  const interval = SECOND / limit.rate
  const from = Math.min(Math.max(fullAt, now), now + limit.burst * interval)
  const waitMs = from - now - (limit.burst - 1) * interval
  return waitMs > 0 ? { fullAt: from, waitMs } : { fullAt: from + interval, waitMs: 0 }
}

/** `retry-after` counts whole seconds: a client that waits them finds a token. */
export const retryAfter = (waitSeconds: number): number => Math.max(1, Math.ceil(waitSeconds))

/** What is left of a bucket after a request. */
export type Quota = {
  /** `quota`: the rate that operators allow the workspace. */
  kind: BucketKind | 'quota'
  limit: RateLimit
  /** Whole tokens left. */
  remaining: number
  /** Seconds until the bucket is full again. */
  fullIn: number
}

/** Rounding of the database's seconds must not cost a token. */
const ROUNDING = 1e-6

/** Returns what is left of a bucket that will be full in this many seconds. */
export const quotaOf = (kind: BucketKind, fullIn: number): Quota => leftOf(kind, RATE_LIMITS[kind], fullIn)

/** The same for a bucket of any size. */
export function leftOf(kind: Quota['kind'], limit: RateLimit, fullIn: number): Quota {
  const remaining = Math.max(0, Math.floor(limit.burst - fullIn * limit.rate + ROUNDING))
  return { kind, limit, remaining, fullIn }
}

/** Returns what is left of an empty bucket. */
export const emptyQuota = (kind: BucketKind): Quota => quotaOf(kind, RATE_LIMITS[kind].burst / RATE_LIMITS[kind].rate)
