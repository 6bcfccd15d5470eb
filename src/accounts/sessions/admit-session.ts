import type { Sql } from '../../lib/sql.ts'
import type { Bucket, RequestLimit } from '../limits/rate-limit-rules.ts'
import { type DrawResult, drawTokens } from '../limits/rate-limit-store.ts'
import { countInQuota } from '../workspaces/keep-to-quota.ts'
import type { SignedIn } from './session-schema.ts'

/**
 * Takes the tokens of a signed-in request: the user's, the price history's where that is read, and those of the
 * workspace. A request that names no workspace counts in the one that the user joined first.
 * @throws AppError rate_limited where the workspace has a rate of its own
 */
export async function drawForSession(
  sql: Sql,
  { accountId, firstWorkspaceId }: Pick<SignedIn, 'accountId' | 'firstWorkspaceId'>,
  { workspaceId, limit = 'usual' }: { workspaceId?: string; limit?: RequestLimit },
): Promise<DrawResult> {
  const owner = workspaceId ?? firstWorkspaceId ?? undefined
  if (limit === 'log') return drawTokens(sql, [{ kind: 'log', owner: accountId }])
  const buckets: Bucket[] = [{ kind: 'caller', owner: accountId }]
  if (limit === 'history') buckets.push({ kind: 'history', owner: accountId })
  if (owner !== undefined) buckets.push({ kind: 'workspace', owner })
  const drawn = await drawTokens(sql, buckets)
  if (drawn.waitSeconds > 0 || owner === undefined) return drawn
  const { quotas, refusal } = await countInQuota(sql, owner)
  if (refusal) throw refusal
  return { ...drawn, quotas: [...drawn.quotas, ...quotas] }
}
