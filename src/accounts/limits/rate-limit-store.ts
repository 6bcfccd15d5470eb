import type { Db } from '../../lib/sql.ts'
import { type Bucket, type Quota, quotaOf, RATE_LIMITS, type RateLimit } from './rate-limit-rules.ts'

/** The buckets of one request as the SQL function `draw_tokens` wants them: ordered by key. */
function bucketArrays(buckets: Bucket[]) {
  const rows = buckets.map(({ kind, owner }) => ({ key: `${kind}:${owner}`, kind, ...RATE_LIMITS[kind] }))
  rows.sort((a, b) => (a.key < b.key ? -1 : 1))
  return {
    kinds: rows.map((row) => row.kind),
    keys: rows.map((row) => row.key),
    rates: rows.map((row) => row.rate),
    bursts: rows.map((row) => row.burst),
  }
}

/** What taking tokens gave: the seconds to wait (0 means taken), and what is left of each bucket. */
export type DrawResult = { waitSeconds: number; quotas: Quota[] }

/**
 * Takes one token from each of these buckets, or none at all when one of them is empty: one statement, exact for
 * requests on any number of nodes.
 */
export async function drawTokens(db: Db, buckets: Bucket[]): Promise<DrawResult> {
  const { kinds, ...arrays } = bucketArrays(buckets)
  const { waitSeconds, fullIn } = await draw(db, arrays)
  return { waitSeconds, quotas: fullIn.map((seconds, n) => quotaOf(kinds[n]!, seconds)) }
}

/** Takes one token from a bucket that no answer shows. Returns the seconds to wait: 0 means taken. */
export const drawToken = async (db: Db, key: string, limit: RateLimit): Promise<number> =>
  (await drawFrom(db, key, limit)).waitSeconds

/** The same, with the seconds until the bucket is full again. */
export async function drawFrom(
  db: Db,
  key: string,
  { rate, burst }: RateLimit,
): Promise<{ waitSeconds: number; fullIn: number }> {
  const { waitSeconds, fullIn } = await draw(db, { keys: [key], rates: [rate], bursts: [burst] })
  return { waitSeconds, fullIn: fullIn[0]! }
}

type BucketArrays = { keys: string[]; rates: number[]; bursts: number[] }

async function draw(db: Db, { keys, rates, bursts }: BucketArrays) {
  const [row] = await db<{ waitSeconds: number; fullIn: number[] }[]>`
    select wait as "waitSeconds", full_in as "fullIn"
    from draw_tokens(${keys}::text[], ${rates}::float8[], ${bursts}::int[])`
  return row!
}

/**
 * Forgets buckets that are full again: an absent bucket is a full one. At most `limit` at once, and none that a request
 * holds. Returns how many.
 */
export async function forgetFullBuckets(db: Db, limit: number): Promise<number> {
  const forgotten = await db`
    delete from rate_bucket
    where key = any (array(
      select key from rate_bucket where full_at < clock_timestamp() limit ${limit} for update skip locked))`
  return forgotten.count
}
