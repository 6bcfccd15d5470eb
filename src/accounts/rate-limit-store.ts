import type { Db } from '../lib/sql.ts'
import { type Bucket, RATE_LIMITS } from './rate-limit-rules.ts'

/** The buckets of one request as the SQL function `take_tokens` wants them: ordered by key. */
function bucketArrays(buckets: Bucket[]) {
  const rows = buckets.map((bucket) => ({ key: `${bucket.kind}:${bucket.owner}`, ...RATE_LIMITS[bucket.kind] }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  return { keys: rows.map((row) => row.key), rates: rows.map((row) => row.rate), bursts: rows.map((row) => row.burst) }
}

/**
 * Takes one token from each of these buckets, or none at all when one of them is empty: one statement, exact for
 * requests on any number of nodes. Returns the seconds to wait; 0 means taken.
 */
export async function takeTokens(db: Db, buckets: Bucket[]): Promise<number> {
  const { keys, rates, bursts } = bucketArrays(buckets)
  const [row] = await db<{ wait: number }[]>`
    select take_tokens(${keys}::text[], ${rates}::float8[], ${bursts}::int[]) as wait`
  return row!.wait
}

/** Forgets buckets that are full again: an absent bucket is a full one. Returns how many. */
export async function forgetFullBuckets(db: Db): Promise<number> {
  const forgotten = await db`delete from rate_bucket where full_at < clock_timestamp()`
  return forgotten.count
}
