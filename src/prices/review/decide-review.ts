import { publishing, type Stamp } from '../../catalog/clock-store.ts'
import { decidedElsewhere } from '../../catalog/provider-store.ts'
import { raisePriceVersion } from '../../catalog/source-ingest-store.ts'
import { recordEvents } from '../../events/store.ts'
import { parseDecimal } from '../../lib/decimal.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { type Happened, ingestDrafts } from '../events/event-rules.ts'
import { tally } from '../ingest/ingest-report.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import { closeReview, type OpenReview, openReview } from '../store/review-store.ts'
import { lineKey } from '../store/row-rules.ts'
import { approveRemoval, approveRename } from './decide-absences.ts'
import { decideRows, type Edit } from './decide-rows.ts'

export type ReviewDecision = {
  reviewId: string
  /** `edit`: the rows named in `edits` are published at the prices given, the others as they are. */
  decision: 'approve' | 'reject' | 'edit'
  actor: string
  reason: string
  edits?: Edit[]
  /** Only for replaying history. */
  at?: Instant
}

export type ReviewOutcome = { kind: OpenReview['kind']; rows: number; events: Record<string, number> }

/** What a decision did, with the lines as they stood before it. */
export type Decided = { happened: Happened; known: KnownLine[] }

/**
 * Decides an open review item, with its events. A price that was rejected or edited stays so until its source says
 * another one.
 * @throws AppError not_found for an unknown or decided item, invalid_body for an edit that does not fit it.
 */
export async function decideReview(sql: Sql, request: ReviewDecision): Promise<ReviewOutcome> {
  const { reviewId, decision, actor, reason } = request
  checkEdits(request)
  return publishing(
    sql,
    async (tx, stamp) => {
      const asked = await openReview(tx, reviewId)
      if (!asked) throw new AppError('not_found', 'This review item does not exist or is decided already.')
      await raisePriceVersion(tx, asked.source)
      const review = (await openReview(tx, reviewId)) ?? asked
      if (decision === 'edit' && !['price', 'mass_change'].includes(review.kind))
        throw new AppError('invalid_body', 'Only prices can be edited.', { field: 'decision' })
      const decided = await carryOut(tx, stamp, review, request)
      const outcome = decision === 'reject' ? ('rejected' as const) : ('approved' as const)
      await closeReview(tx, reviewId, { at: stamp.at, decision: outcome, by: actor, reason })
      const events = decided ? await tell(tx, stamp, review.source, decided) : {}
      return { kind: review.kind, rows: decided?.happened.rows.length ?? 0, events }
    },
    request.at,
  )
}

function checkEdits({ decision, edits = [] }: ReviewDecision): void {
  if (decision !== 'edit') return
  if (edits.length === 0) throw new AppError('invalid_body', 'An edit names at least one row.', { field: 'edits' })
  for (const { price } of edits)
    if (parseDecimal(price) !== price || price.startsWith('-'))
      throw new AppError('invalid_body', `${price} is not a canonical decimal.`, { field: 'edits' })
}

async function carryOut(
  tx: Tx,
  stamp: Stamp,
  review: OpenReview,
  request: ReviewDecision,
): Promise<Decided | undefined> {
  if (review.kind === 'price' || review.kind === 'mass_change') return decideRows(tx, stamp, review, request)
  if (request.decision === 'reject' || review.kind === 'snapshot') return undefined
  return review.kind === 'rename' ? approveRename(tx, stamp, review) : approveRemoval(tx, stamp, review)
}

async function tell(tx: Tx, stamp: Stamp, source: string, { happened, known }: Decided) {
  const silent = await decidedElsewhere(tx, source)
  const { drafts } = ingestDrafts(happened, new Map(known.map((line) => [lineKey(line), line])))
  const told = drafts.filter((draft) => draft.type === 'provider.added' || !silent.has(draft.provider))
  await recordEvents(tx, stamp, told)
  const events: Record<string, number> = {}
  for (const draft of told) tally(events, draft.type)
  return events
}
