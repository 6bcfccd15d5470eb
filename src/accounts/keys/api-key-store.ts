import { createHash } from 'node:crypto'
import { epochMs, type Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { type BucketKind, quotaOf, RATE_LIMITS, type RequestLimit } from '../limits/rate-limit-rules.ts'
import type { DrawResult } from '../limits/rate-limit-store.ts'
import { LAST_USED_EVERY_MS, lastCharacters } from './api-key-rules.ts'

/** A key as the key list shows it: never its value. */
export type ApiKey = {
  keyId: string
  name: string
  lastCharacters: string
  createdAt: Instant
  lastUsedAt: Instant | null
  /** The key is refused from this instant on; null for a key without an end. */
  expiresAt: Instant | null
}

type NewApiKey = { workspaceId: string; name: string; key: string; createdBy?: string; expiresAt?: Instant }

const hashOf = (key: string): Uint8Array => createHash('sha256').update(key).digest()

export async function countApiKeys(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ keys: number }[]>`
    select count(*)::int as keys from api_key where workspace_id = ${workspaceId}`
  return row!.keys
}

export async function insertApiKey(
  tx: Tx,
  { workspaceId, name, key, createdBy, expiresAt }: NewApiKey,
): Promise<{ keyId: string; createdAt: Instant }> {
  const [row] = await tx<{ keyId: string; createdAt: Instant }[]>`
    insert into api_key (workspace_id, name, hash, last_characters, created_by, created_at, expires_at)
    values (${workspaceId}, ${name}, ${hashOf(key)}, ${lastCharacters(key)}, ${createdBy ?? null}, clock_timestamp(),
            ${expiresAt ?? null})
    returning key_id as "keyId", created_at as "createdAt"`
  return row!
}

/** The keys of a workspace, oldest first. */
export async function apiKeysOf(db: Db, workspaceId: string): Promise<ApiKey[]> {
  return await db<ApiKey[]>`
    select key_id as "keyId", name, last_characters as "lastCharacters", created_at as "createdAt",
           last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from api_key where workspace_id = ${workspaceId} order by created_at, key_id`
}

/** Returns whether there was such a key. */
export async function removeApiKey(db: Db, key: { workspaceId: string; keyId: string }): Promise<boolean> {
  const removed = await db`
    delete from api_key where key_id::text = ${key.keyId} and workspace_id = ${key.workspaceId}`
  return removed.count > 0
}

/** Returns which of these SHA-256 hashes (in hex) belong to a key that has not expired. */
export async function existingKeys(db: Db, hashes: string[]): Promise<Set<string>> {
  const rows = await db<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from api_key
    where hash = any (select decode(h, 'hex') from unnest(${hashes}::text[]) as h)
      and (expires_at is null or expires_at > clock_timestamp())`
  return new Set(rows.map((row) => row.hash))
}

const BUCKETS: Record<RequestLimit, BucketKind[]> = {
  usual: ['caller', 'workspace'],
  history: ['caller', 'history', 'workspace'],
  log: ['log'],
}

export type KeyUse = DrawResult & { keyId?: string; workspaceId?: string }

/**
 * Looks a key up and takes the tokens of its request, in one statement: the key's and its workspace's buckets (and the
 * history bucket; the log's alone), or, when there is no such key or it has expired, the client address's. Every wrong key takes the same path.
 */
export async function useApiKey(
  sql: Sql,
  request: { key: string; address: string; limit: RequestLimit },
): Promise<KeyUse> {
  const kinds = BUCKETS[request.limit]
  const rates = kinds.map((kind) => RATE_LIMITS[kind].rate)
  const bursts = kinds.map((kind) => RATE_LIMITS[kind].burst)
  const { address } = RATE_LIMITS
  const [row] = await sql<
    {
      keyId: string | null
      workspaceId: string | null
      lastUsedAt: Instant | null
      now: Instant
      wait: number
      fullIn: number[]
    }[]
  >`
    select k.key_id as "keyId", k.workspace_id as "workspaceId", k.last_used_at as "lastUsedAt",
           clock_timestamp()::timestamptz(3) as now, t.wait, t.full_in as "fullIn"
    from (select) as request
    left join api_key k on k.hash = ${hashOf(request.key)}
      and (k.expires_at is null or k.expires_at > clock_timestamp())
    cross join lateral draw_tokens(
      case when k.key_id is null then array[${`address:${request.address}`}]
        else (select array_agg(kind || ':' || case kind when 'workspace' then k.workspace_id else k.key_id end
                               order by position) from unnest(${kinds}::text[]) with ordinality as b (kind, position)) end,
      case when k.key_id is null then array[${address.rate}::float8] else ${rates}::float8[] end,
      case when k.key_id is null then array[${address.burst}::int] else ${bursts}::int[] end
    ) t`
  const { keyId, workspaceId, lastUsedAt, now, wait, fullIn } = row!
  if (keyId && (!lastUsedAt || epochMs(now) - epochMs(lastUsedAt) >= LAST_USED_EVERY_MS)) await markUsed(sql, keyId)
  const used: BucketKind[] = keyId ? kinds : ['address']
  return {
    keyId: keyId ?? undefined,
    workspaceId: workspaceId ?? undefined,
    waitSeconds: wait,
    quotas: used.map((kind, n) => quotaOf(kind, fullIn[n]!)),
  }
}

async function markUsed(sql: Sql, keyId: string): Promise<void> {
  await sql`
    update api_key set last_used_at = clock_timestamp()
    where key_id = ${keyId}
      and (last_used_at is null or last_used_at <= clock_timestamp() - ${`${LAST_USED_EVERY_MS} ms`}::interval)`
}

/** The visible end of the newest API key; undefined while there is none. */
export async function newestKeyEnd(db: Db): Promise<string | undefined> {
  const [row] = await db<{ end: string }[]>`select last_characters as end from api_key order by created_at desc limit 1`
  return row?.end
}

/** Gives the keys made on the first start to the account that takes over their workspace. */
export async function createdByFirstAccount(
  tx: Tx,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
): Promise<void> {
  await tx`update api_key set created_by = ${accountId} where workspace_id = ${workspaceId} and created_by is null`
}
