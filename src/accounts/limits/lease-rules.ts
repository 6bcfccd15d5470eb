import { SECOND } from '../../lib/instant.ts'
import { type BucketKind, emptyQuota, type Quota, RATE_LIMITS, type RequestLimit } from './rate-limit-rules.ts'

/** A process may use leased tokens for this long. Deleting a key waits for that. */
export const LEASE_MS = SECOND
const MOST_LEASED = 20

/** The buckets that a request of an API key has to fit in. */
export const KEY_BUCKETS: Record<RequestLimit, BucketKind[]> = {
  usual: ['caller', 'workspace'],
  history: ['caller', 'history', 'workspace'],
  log: ['log'],
}

/** Returns how many tokens one process holds of a key at most: what the slowest bucket regains during a lease. */
export const leaseSize = (limit: RequestLimit): number =>
  Math.min(MOST_LEASED, ...KEY_BUCKETS[limit].map((kind) => (RATE_LIMITS[kind].rate * LEASE_MS) / SECOND))

/** Returns what is left for certain where the database was not asked: what this process holds. */
export const quotasOfLease = (limit: RequestLimit, left: number): Quota[] =>
  // A bucket is full at the latest when an empty one would be.
  KEY_BUCKETS[limit].map((kind) => ({ ...emptyQuota(kind), remaining: left }))

/** Returns what is left after a request for which tokens were taken, with those that this process leased beside it. */
export const withLeased = (quotas: Quota[], leased: number): Quota[] =>
  quotas.map((quota) => ({ ...quota, remaining: quota.remaining + leased }))
