import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { raisePriceVersion } from '../../catalog/sources/source-ingest-store.ts'
import { isCanonicalDecimal } from '../../lib/decimal.ts'
import { AppError } from '../../lib/errors.ts'
import { requireShown } from '../../lib/revision.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import { announceDecided } from '../publish/announce-decided.ts'
import { recordChanges } from '../publish/record-changes.ts'
import { closeReview, type OpenReview, openReview } from '../store/review-store.ts'
import { approveLineRemoval } from './approve-line-removal.ts'
import { approveRemoval } from './approve-removal.ts'
import { approveRename } from './approve-rename.ts'
import { decideRows } from './decide-rows.ts'
import { reviewRevision } from './revision-rules.ts'
import type { ReviewDecision, ReviewOutcome } from './schema.ts'

export type { ReviewDecision } from './schema.ts'

/** What a decision changed. */
type DecisionEffect = { changes: Change[]; rows: number }

/**
 * Decides an open review item and records the events. A price that was rejected or edited has no effect until its
 * source publishes another one.
 * With `dryRun` the same is done and undone: the outcome is what would come of it.
 * @throws AppError not_found for an unknown or decided item, review_changed for one that is no longer as it was shown,
 * invalid_body for an edit that does not fit it.
 */
export async function decideReview(sql: Sql, request: ReviewDecision): Promise<ReviewOutcome> {
  const { reviewId, decision, actor: by, reason } = request
  checkEdits(request)
  const decideNow = async (tx: Tx, stamp: Stamp) => {
    const review = await lockReview(tx, reviewId)
    requireShown(request.revision, reviewRevision(review))
    if (decision === 'edit' && !hasRows(review))
      throw new AppError('invalid_body', 'Only prices can be edited.', { field: 'decision' })
    const { changes, rows } = await carryOut(tx, stamp, review, request)
    await closeReview(tx, reviewId, {
      at: stamp.at,
      decision: decision === 'reject' ? 'rejected' : 'approved',
      by,
      reason,
    })
    await announceDecided(tx, stamp.at, changes)
    const { events } = await recordChanges(tx, stamp, review.source, changes)
    const outcome = { kind: review.kind, rows, events }
    if (request.dryRun) throw new Preview(outcome)
    return outcome
  }
  try {
    return await publishing(sql, decideNow, request.at)
  } catch (error) {
    if (error instanceof Preview) return error.outcome
    throw error
  }
}

/** Ends the transaction of a preview, so that nothing of it stays. */
class Preview extends Error {
  readonly outcome: ReviewOutcome
  constructor(outcome: ReviewOutcome) {
    super('a preview ended')
    this.outcome = outcome
  }
}

const hasRows = ({ kind }: OpenReview) => kind === 'price' || kind === 'mass_change'

function checkEdits({ decision, edits = [] }: ReviewDecision): void {
  if (decision !== 'edit') return
  if (edits.length === 0) throw new AppError('invalid_body', 'An edit names at least one row.', { field: 'edits' })
  for (const { price } of edits)
    if (!isCanonicalDecimal(price))
      throw new AppError('invalid_body', `${price} is not a canonical decimal.`, { field: 'edits' })
}

/** Reads an item once no snapshot of its source is being ingested: a snapshot may change it, or close it. */
async function lockReview(tx: Tx, reviewId: string): Promise<OpenReview> {
  const found = await openReview(tx, reviewId)
  if (found) await raisePriceVersion(tx, found.source)
  const review = found && (await openReview(tx, reviewId))
  if (!review) throw new AppError('not_found', 'This review item does not exist or is decided already.')
  return review
}

async function carryOut(tx: Tx, stamp: Stamp, review: OpenReview, request: ReviewDecision): Promise<DecisionEffect> {
  if (hasRows(review)) return decideRows(tx, stamp, review, request)
  if (request.decision === 'reject' || review.kind === 'snapshot') return { changes: [], rows: 0 }
  if (review.kind === 'rename') return approveRename(tx, stamp, review)
  return review.kind === 'removal' ? approveRemoval(tx, stamp, review) : approveLineRemoval(tx, stamp, review)
}
