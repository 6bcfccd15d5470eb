import { AppError } from '../../lib/errors.ts'
import { SECOND } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { lastUsed } from '../last-used.ts'
import { type Quota, retryAfter } from '../limits/rate-limit-rules.ts'
import { LARGEST_QUOTA } from './quota-rules.ts'
import { countMembers, drawFromQuota, quotaOf } from './quota-store.ts'

const MAX_REMEMBERED = 10_000
/** A rate that operators set is noticed by every process within this time. */
const REMEMBERED_MS = 10 * SECOND

/** Returns how many webhooks and API keys a workspace may have: what operators allow, or what the specification does. */
export async function mostAllowed(db: Db, workspaceId: string): Promise<{ webhooks: number; apiKeys: number }> {
  const { webhooks, apiKeys } = await quotaOf(db, workspaceId)
  return { webhooks: webhooks ?? LARGEST_QUOTA.webhooks, apiKeys: apiKeys ?? LARGEST_QUOTA.apiKeys }
}

/** Returns how many members a workspace that is full may have; undefined while it has room. The caller holds its lock. */
export async function membersWhenFull(tx: Tx, workspaceId: string): Promise<number | undefined> {
  const { members } = await quotaOf(tx, workspaceId)
  return members !== null && (await countMembers(tx, workspaceId)) >= members ? members : undefined
}

/** Checks that a workspace has room for another member. The caller holds its lock. @throws AppError member_limit */
export async function checkRoomForMember(tx: Tx, workspaceId: string): Promise<void> {
  const members = await membersWhenFull(tx, workspaceId)
  if (members === undefined) return
  const message = `This workspace may have ${members} members: an admin removes one, or asks an operator of this installation for more.`
  throw new AppError('member_limit', message)
}

/** What is left of a workspace's own rate, where it has one, and why a request that exceeds it is refused. */
type QuotaDraw = { quotas: Quota[]; refusal?: AppError }

/** Takes a token of a workspace's own rate, where it has one. */
export async function countInQuota(sql: Sql, workspaceId: string): Promise<QuotaDraw> {
  const drawn = await drawFromQuota(sql, workspaceId)
  if (!drawn) return { quotas: [] }
  const quotas = [drawn.quota]
  if (drawn.waitSeconds === 0) return { quotas }
  const seconds = retryAfter(drawn.waitSeconds)
  const message = `Your workspace may send ${drawn.requestsPerMinute} requests a minute: wait ${seconds} s. Ask an operator of this installation for more.`
  return { quotas, refusal: new AppError('rate_limited', message, { retryAfter: seconds }) }
}

/** The same for requests of API keys: that a workspace has no rate of its own is remembered for a moment. */
export function createQuotaCounter(sql: Sql): (workspaceId: string) => Promise<QuotaDraw> {
  const free = lastUsed<true>(MAX_REMEMBERED, REMEMBERED_MS)
  return async (workspaceId) => {
    if (free.has(workspaceId)) return { quotas: [] }
    const drawn = await countInQuota(sql, workspaceId)
    if (drawn.quotas.length === 0) free.set(workspaceId, true)
    return drawn
  }
}
