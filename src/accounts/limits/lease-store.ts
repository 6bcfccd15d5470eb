import type { Instant } from '../../lib/instant.ts'
import { SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { KEY_BUCKETS, LEASE_MS } from './lease-rules.ts'
import { type BucketKind, type Quota, quotaOf, RATE_LIMITS, type RequestLimit } from './rate-limit-rules.ts'

/** Leased tokens that were not used, and what the buckets were like after the lease. */
export type UnusedTokens = { tokens: number; bucketKeys: string[]; fullAt: string[] }

/** The waiting requests of one key. `extra`: how many tokens to lease beside those. */
export type KeyRequests = {
  hash: string
  address: string
  limit: RequestLimit
  wanted: number
  extra: number
  unused?: UnusedTokens
}

export type TokenGrant = {
  /** Absent when there is no such key, or it has expired. */
  key?: { keyId: string; workspaceId: string; lastUsedAt: Instant | null; now: Instant; validForMs: number }
  /** How many tokens were taken, those that are leased included. */
  granted: number
  /** Until the next one. */
  waitSeconds: number
  quotas: Quota[]
  bucketKeys: string[]
  fullAt: string[]
}

const KINDS = Object.keys(RATE_LIMITS) as BucketKind[]
const RATES = KINDS.map((kind) => RATE_LIMITS[kind].rate)
const BURSTS = KINDS.map((kind) => RATE_LIMITS[kind].burst)

type Row = {
  keyId: string | null
  workspaceId: string
  lastUsedAt: Instant | null
  now: Instant
  validFor: number | null
  granted: number
  wait: number
  fullIn: number[]
  bucketKeys: string[]
  fullAt: string[]
}

/**
 * Looks keys up and takes the tokens of their requests from all of their buckets, in one statement. Every wrong key
 * takes the same path: it counts against its client address.
 */
export async function leaseTokens(sql: Sql, requests: KeyRequests[]): Promise<TokenGrant[]> {
  const back = flatten(requests.flatMap(({ unused }) => unused ?? []))
  const rows = await sql<Row[]>`
    select key_id as "keyId", workspace_id as "workspaceId", last_used_at as "lastUsedAt", now, valid_for as "validFor",
           granted, wait, full_in as "fullIn", bucket_keys as "bucketKeys", full_at as "fullAt"
    from lease_tokens(
      ${requests.map(({ hash }) => hash)}::text[], ${requests.map(({ address }) => address)}::text[],
      ${requests.map(({ limit }) => KEY_BUCKETS[limit].join(','))}::text[],
      ${requests.map(({ wanted }) => wanted)}::int[], ${requests.map(({ extra }) => extra)}::int[],
      ${KINDS}::text[], ${RATES}::float8[], ${BURSTS}::int[], ${LEASE_MS / SECOND}::float8,
      ${back.keys}::text[], ${back.tokens}::int[], ${back.fullAt}::text[])`
  return rows.map((row, n) => {
    const { keyId, workspaceId, lastUsedAt, now, validFor, granted, wait, fullIn, bucketKeys, fullAt } = row
    const kinds: BucketKind[] = keyId === null ? ['address'] : KEY_BUCKETS[requests[n]!.limit]
    const validForMs = (validFor ?? Number.POSITIVE_INFINITY) * SECOND
    const key = keyId === null ? undefined : { keyId, workspaceId, lastUsedAt, now, validForMs }
    const quotas = kinds.map((kind, position) => quotaOf(kind, fullIn[position]!))
    return { key, granted, waitSeconds: wait, quotas, bucketKeys, fullAt }
  })
}

/** Returns tokens that were not used to buckets from which nothing was taken since. */
export async function returnTokens(sql: Sql, unused: UnusedTokens[]): Promise<void> {
  const { keys, tokens, fullAt } = flatten(unused)
  await sql`
    select return_tokens(${keys}::text[], ${tokens}::int[], ${fullAt}::text[], ${KINDS}::text[], ${RATES}::float8[])`
}

function flatten(unused: UnusedTokens[]) {
  const buckets = unused.flatMap(({ tokens, bucketKeys, fullAt }) =>
    bucketKeys.map((key, n) => ({ key, tokens, fullAt: fullAt[n]! })),
  )
  return {
    keys: buckets.map(({ key }) => key),
    tokens: buckets.map(({ tokens }) => tokens),
    fullAt: buckets.map(({ fullAt }) => fullAt),
  }
}

/**
 * Returns in how many milliseconds no process holds tokens of these keys any more. A process that is taking some at the
 * moment is waited for: afterwards none finds a key that was deleted before.
 */
export async function leasesEndIn(sql: Sql, keyIds: string[]): Promise<number> {
  const names = keyIds.flatMap((keyId) => KINDS.map((kind) => `${kind}:${keyId}`))
  const rows = await sql<{ seconds: number }[]>`
    select extract(epoch from full_at - clock_timestamp())::float8 as seconds from rate_bucket
    where key = any (${names}::text[]) order by key for update`
  // While tokens are leased, their bucket is full later than the lease ends.
  return Math.max(0, Math.min(LEASE_MS, Math.max(0, ...rows.map(({ seconds }) => seconds)) * SECOND))
}
