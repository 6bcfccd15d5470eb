import { AppError } from '../lib/errors.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { decideReview, type ReviewDecision } from '../prices/review/decide-review.ts'
import { approveVersion, wouldMakeEvent } from '../terms/review/approve-version.ts'
import { requireSeen } from '../terms/review/held-version.ts'
import { rejectVersion } from '../terms/review/reject-version.ts'
import type { QueueItem } from './schema.ts'

export type ItemDecision = Pick<ReviewDecision, 'decision' | 'reason' | 'edits' | 'revision' | 'dryRun' | 'actor'>

type Tools = { sql: Sql; isolation: Isolation; pagesUrl?: string }

/** What came of a decision, or would come of it, with the events of it by their types. */
type ItemOutcome = { events: Record<string, number> }

/** Decides one item. @throws AppError not_found, review_changed or invalid_body */
export async function decideItem(
  { sql, isolation, pagesUrl }: Tools,
  item: Pick<QueueItem, 'id' | 'kind' | 'question'>,
  decision: ItemDecision,
): Promise<ItemOutcome> {
  if (item.kind !== 'terms') return decideReview(sql, { ...decision, reviewId: item.id })
  if (decision.decision === 'edit')
    throw new AppError('invalid_body', 'A document cannot be edited: approve or reject it.', { field: 'decision' })
  return decideDocument({ sql, isolation, pagesUrl }, item, decision)
}

async function decideDocument(
  { sql, isolation, pagesUrl }: Tools,
  { id, question }: Pick<QueueItem, 'id' | 'question'>,
  { decision, actor: by, reason: note, revision, dryRun }: ItemDecision,
): Promise<ItemOutcome> {
  const review = { versionId: id, by, note, revision, pagesUrl }
  const isApproval = decision === 'approve'
  if (dryRun) {
    await requireSeen(sql, review)
    const isEvent = isApproval && (await wouldMakeEvent({ sql, isolation }, review))
    return outcomeOf({ decision, document: question }, isEvent)
  }
  if (isApproval) {
    const report = await approveVersion({ sql, isolation }, review)
    return outcomeOf(report, report.eventId !== undefined)
  }
  await rejectVersion(sql, review)
  return outcomeOf({ rejected: id }, false)
}

/** A document makes one event at most. */
const outcomeOf = (outcome: object, isEvent: boolean): ItemOutcome => ({
  ...outcome,
  events: isEvent ? { 'tos.changed': 1 } : {},
})
