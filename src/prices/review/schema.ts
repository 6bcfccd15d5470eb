import type { Instant } from '../../lib/instant.ts'
import type { OpenReview } from '../store/review-store.ts'

/** The price that a person gives a held row instead of its own. */
export type Edit = { contentHash: string; price: string }

export type ReviewDecision = {
  reviewId: string
  /** `edit`: the rows named in `edits` are published at the given prices, the others as they are. */
  decision: 'approve' | 'reject' | 'edit'
  actor: string
  reason: string
  edits?: Edit[]
  /** The revision of the item that the person was shown: another one is not decided. */
  revision?: string
  /** Decide and record nothing: only say what would come of it. */
  dryRun?: boolean
  /** Only for replaying history. */
  at?: Instant
}

export type ReviewOutcome = { kind: OpenReview['kind']; rows: number; events: Record<string, number> }
