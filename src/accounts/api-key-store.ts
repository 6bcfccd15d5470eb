import { createHash } from 'node:crypto'
import { AppError } from '../lib/errors.ts'
import { epochMs, type Instant } from '../lib/instant.ts'
import type { Db, Sql } from '../lib/sql.ts'
import { LAST_USED_EVERY_MS, lastCharacters, MAX_API_KEYS, newApiKey } from './api-key-rules.ts'
import { type BucketKind, RATE_LIMITS } from './rate-limit-rules.ts'
import { checkedName } from './workspace-store.ts'

/** A key as the key list shows it: never its value. */
export type ApiKey = {
  keyId: string
  name: string
  lastCharacters: string
  createdAt: Instant
  lastUsedAt: Instant | null
}
type Given = { workspaceId: string; name: string; createdBy?: string }

const hashOf = (key: string): Uint8Array => createHash('sha256').update(key).digest()

/**
 * Creates a key; its full value is in this answer and nowhere else.
 * @throws AppError api_key_limit when the workspace holds 20; invalid_body (field `name`); not_found without workspace.
 */
export async function createApiKey(sql: Sql, given: Given): Promise<ApiKey & { key: string }> {
  const name = checkedName(given.name)
  const key = newApiKey()
  return await sql.begin(async (tx) => {
    const [owner] = await tx`select 1 from workspace where workspace_id = ${given.workspaceId} for update`
    if (!owner) throw new AppError('not_found', 'This workspace does not exist.')
    const [held] = await tx<{ keys: number }[]>`
      select count(*)::int as keys from api_key where workspace_id = ${given.workspaceId}`
    if (held!.keys >= MAX_API_KEYS) {
      throw new AppError('api_key_limit', `A workspace holds at most ${MAX_API_KEYS} API keys: delete one first.`)
    }
    const [made] = await tx<{ keyId: string; createdAt: Instant }[]>`
      insert into api_key (workspace_id, name, hash, last_characters, created_by, created_at)
      values (${given.workspaceId}, ${name}, ${hashOf(key)}, ${lastCharacters(key)}, ${given.createdBy ?? null},
              clock_timestamp())
      returning key_id as "keyId", created_at as "createdAt"`
    return { ...made!, name, lastCharacters: lastCharacters(key), lastUsedAt: null, key }
  })
}

/** The keys of a workspace, oldest first. */
export async function listApiKeys(db: Db, workspaceId: string): Promise<ApiKey[]> {
  return await db<ApiKey[]>`
    select key_id as "keyId", name, last_characters as "lastCharacters", created_at as "createdAt",
           last_used_at as "lastUsedAt"
    from api_key where workspace_id = ${workspaceId} order by created_at, key_id`
}

/** Deletes a key of this workspace; every node refuses it from the next request on. @throws AppError not_found. */
export async function deleteApiKey(db: Db, given: { workspaceId: string; keyId: string }): Promise<void> {
  const gone = await db`
    delete from api_key where key_id::text = ${given.keyId} and workspace_id = ${given.workspaceId}`
  if (gone.count === 0) throw new AppError('not_found', 'This API key does not exist: it may be deleted already.')
}

export type Authentication = { keyId?: string; workspaceId?: string; waitSeconds: number }

/**
 * Looks a key up and takes the tokens of its request, in one statement: the key's and its workspace's buckets (and the
 * history bucket), or, when there is no such key, the client address's. Every wrong key takes the same path.
 */
export async function authenticate(
  sql: Sql,
  request: { key: string; address: string; history: boolean },
): Promise<Authentication> {
  const kinds: BucketKind[] = request.history ? ['caller', 'history', 'workspace'] : ['caller', 'workspace']
  const limits = (of: BucketKind[]) => [of.map((kind) => RATE_LIMITS[kind].rate), of.map((k) => RATE_LIMITS[k].burst)]
  const [rates, bursts] = limits(kinds)
  const [row] = await sql<
    { keyId: string | null; workspaceId: string | null; lastUsedAt: Instant | null; now: Instant; wait: number }[]
  >`
    select k.key_id as "keyId", k.workspace_id as "workspaceId", k.last_used_at as "lastUsedAt",
           clock_timestamp()::timestamptz(3) as now, t.wait
    from (select) as request
    left join api_key k on k.hash = ${hashOf(request.key)}
    cross join lateral (
      select case when k.key_id is null
        then take_tokens(array[${`address:${request.address}`}], array[${RATE_LIMITS.address.rate}::float8],
                         array[${RATE_LIMITS.address.burst}::int])
        else take_tokens(
          (select array_agg(kind || ':' || case kind when 'workspace' then k.workspace_id else k.key_id end
                            order by position) from unnest(${kinds}::text[]) with ordinality as b (kind, position)),
          ${rates!}::float8[], ${bursts!}::int[])
        end as wait
    ) t`
  const { keyId, workspaceId, lastUsedAt, now, wait } = row!
  if (keyId && (!lastUsedAt || epochMs(now) - epochMs(lastUsedAt) >= LAST_USED_EVERY_MS)) await markUsed(sql, keyId)
  return { keyId: keyId ?? undefined, workspaceId: workspaceId ?? undefined, waitSeconds: wait }
}

async function markUsed(sql: Sql, keyId: string): Promise<void> {
  await sql`
    update api_key set last_used_at = clock_timestamp()
    where key_id = ${keyId}
      and (last_used_at is null or last_used_at <= clock_timestamp() - ${`${LAST_USED_EVERY_MS} ms`}::interval)`
}
