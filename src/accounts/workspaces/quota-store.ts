import type { Db, Tx } from '../../lib/sql.ts'
import { leftOf, type Quota } from '../limits/rate-limit-rules.ts'
import { drawFrom } from '../limits/rate-limit-store.ts'
import { quotaBucket, type WorkspaceQuota } from './quota-rules.ts'

const NONE: WorkspaceQuota = { webhooks: null, apiKeys: null, members: null, requestsPerMinute: null }

const columns = (db: Db) => db`
  max_webhooks as webhooks, max_api_keys as "apiKeys", max_members as members,
  requests_per_minute as "requestsPerMinute"`

export async function quotaOf(db: Db, workspaceId: string): Promise<WorkspaceQuota> {
  const [row] = await db<WorkspaceQuota[]>`select ${columns(db)} from workspace where workspace_id = ${workspaceId}`
  return row ?? NONE
}

export async function setQuota(tx: Tx, workspaceId: string, quota: WorkspaceQuota): Promise<void> {
  const { webhooks, apiKeys, members, requestsPerMinute } = quota
  await tx`
    update workspace
    set max_webhooks = ${webhooks}, max_api_keys = ${apiKeys}, max_members = ${members},
        requests_per_minute = ${requestsPerMinute}
    where workspace_id = ${workspaceId}`
}

export async function countMembers(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ members: number }[]>`
    select count(*)::int as members from workspace_member where workspace_id = ${workspaceId}`
  return row!.members
}

/** A workspace as operators see it: what it has, and what it may have at most. */
export type WorkspaceUse = {
  workspaceId: string
  name: string
  used: { webhooks: number; apiKeys: number; members: number }
  quota: WorkspaceQuota
}

/** Every workspace, oldest first. */
export async function workspaceUses(db: Db): Promise<WorkspaceUse[]> {
  const rows = await db<(WorkspaceQuota & { workspaceId: string; name: string; used: WorkspaceUse['used'] })[]>`
    select workspace_id as "workspaceId", name, ${columns(db)}, jsonb_build_object(
             'webhooks', (select count(*) from webhook h where h.workspace_id = w.workspace_id),
             'apiKeys', (select count(*) from api_key k where k.workspace_id = w.workspace_id),
             'members', (select count(*) from workspace_member m where m.workspace_id = w.workspace_id)) as used
    from workspace w order by created_at, workspace_id`
  return rows.map(({ workspaceId, name, used, ...quota }) => ({ workspaceId, name, used, quota }))
}

type DrawnQuota = { waitSeconds: number; requestsPerMinute: number; quota: Quota }

/** Takes a token of a workspace's own rate. Returns the seconds to wait, 0: taken; undefined where it has no own rate. */
export async function drawFromQuota(db: Db, workspaceId: string): Promise<DrawnQuota | undefined> {
  const { requestsPerMinute } = await quotaOf(db, workspaceId)
  if (requestsPerMinute === null) return undefined
  const bucket = quotaBucket(requestsPerMinute)
  const { waitSeconds, fullIn } = await drawFrom(db, `quota:${workspaceId}`, bucket)
  return { waitSeconds, requestsPerMinute, quota: leftOf('quota', bucket, fullIn) }
}
