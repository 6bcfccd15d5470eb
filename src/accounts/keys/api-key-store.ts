import { createHash } from 'node:crypto'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
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
  /** Where it may be used from, in CIDR notation; empty: everywhere. */
  networks: string[]
}

type NewApiKey = {
  workspaceId: string
  name: string
  key: string
  createdBy?: string
  expiresAt?: Instant
  networks: string[]
}

const hashOf = (key: string): Uint8Array => createHash('sha256').update(key).digest()

export async function countApiKeys(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ keys: number }[]>`
    select count(*)::int as keys from api_key where workspace_id = ${workspaceId}`
  return row!.keys
}

export async function insertApiKey(
  tx: Tx,
  { workspaceId, name, key, createdBy, expiresAt, networks }: NewApiKey,
): Promise<{ keyId: string; createdAt: Instant }> {
  const [row] = await tx<{ keyId: string; createdAt: Instant }[]>`
    insert into api_key (workspace_id, name, hash, last_characters, created_by, created_at, expires_at, networks)
    values (${workspaceId}, ${name}, ${hashOf(key)}, ${lastCharacters(key)}, ${createdBy ?? null}, clock_timestamp(),
            ${expiresAt ?? null}, ${networks})
    returning key_id as "keyId", created_at as "createdAt"`
  return row!
}

/** The keys of a workspace, oldest first. */
export async function apiKeysOf(db: Db, workspaceId: string): Promise<ApiKey[]> {
  return await db<ApiKey[]>`
    select key_id as "keyId", name, last_characters as "lastCharacters", created_at as "createdAt",
           last_used_at as "lastUsedAt", expires_at as "expiresAt", networks
    from api_key where workspace_id = ${workspaceId} order by created_at, key_id`
}

/** Returns whether there is such a key. */
export async function setNetworks(
  db: Db,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  networks: string[],
): Promise<boolean> {
  const changed = await db`
    update api_key set networks = ${networks} where key_id = ${keyId} and workspace_id = ${workspaceId}`
  return changed.count > 0
}

/** Returns the networks of the key with this SHA-256 (in hex); none where there is no such key. */
export async function networksOfKey(db: Db, hash: string): Promise<string[]> {
  const [row] = await db<{ networks: string[] }[]>`
    select networks from api_key where hash = decode(${hash}, 'hex')`
  return row?.networks ?? []
}

/** Returns whether there was such a key. */
export async function removeApiKey(db: Db, key: { workspaceId: string; keyId: string }): Promise<boolean> {
  const removed = await db`
    delete from api_key where key_id::text = ${key.keyId} and workspace_id = ${key.workspaceId}`
  return removed.count > 0
}

/** The ids of all keys of a workspace. */
export async function keyIdsOf(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db<{ keyId: string }[]>`select key_id as "keyId" from api_key where workspace_id = ${workspaceId}`
  return rows.map(({ keyId }) => keyId)
}

/** Returns which of these SHA-256 hashes (in hex) belong to a key that has not expired. */
export async function existingKeys(db: Db, hashes: string[]): Promise<Set<string>> {
  const rows = await db<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from api_key
    where hash = any (select decode(h, 'hex') from unnest(${hashes}::text[]) as h)
      and (expires_at is null or expires_at > clock_timestamp())`
  return new Set(rows.map((row) => row.hash))
}

/** Writes down that these keys were used, at most once a minute. */
export async function markUsed(sql: Sql, keyIds: string[]): Promise<void> {
  await sql`
    update api_key set last_used_at = clock_timestamp()
    where key_id = any (${keyIds}::uuid[])
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
