import { AppError } from '../lib/errors.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { decideReview, type ReviewDecision } from '../prices/review/decide-review.ts'
import { approveVersion } from '../terms/review/approve-version.ts'
import { rejectVersion } from '../terms/review/reject-version.ts'
import type { QueueItem } from './schema.ts'

export type ItemDecision = Pick<ReviewDecision, 'decision' | 'reason' | 'edits' | 'dryRun' | 'actor'>

type Tools = { sql: Sql; isolation: Isolation; pagesUrl?: string }

/** Decides one item. Returns the outcome. @throws AppError not_found or invalid_body */
export async function decideItem(
  { sql, isolation, pagesUrl }: Tools,
  item: Pick<QueueItem, 'id' | 'kind' | 'question'>,
  decision: ItemDecision,
): Promise<object> {
  if (item.kind !== 'terms') return decideReview(sql, { ...decision, reviewId: item.id })
  const { actor: by, reason: note, dryRun } = decision
  if (dryRun) return { decision: decision.decision, document: item.question }
  if (decision.decision === 'edit')
    throw new AppError('invalid_body', 'A document cannot be edited: approve or reject it.', { field: 'decision' })
  const review = { versionId: item.id, by, note, pagesUrl }
  if (decision.decision === 'approve') return await approveVersion({ sql, isolation }, review)
  await rejectVersion(sql, review)
  return { rejected: item.id }
}
