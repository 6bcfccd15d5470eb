import { publishing } from '../../catalog/clock/clock-store.ts'
import type { Sql } from '../../lib/sql.ts'
import { documentState } from '../store/document-store.ts'
import { recordReview } from '../store/version-store.ts'
import { notHeld, requireSeen, type VersionReview, versionToReview } from './held-version.ts'

/**
 * Records that a held text is not the provider's: it is never published, and the same text is not held again.
 * @throws AppError `not_found`, `review_changed`, or `invalid_body` when the version does not wait for a review
 */
export async function rejectVersion(sql: Sql, review: VersionReview): Promise<void> {
  const version = await versionToReview(sql, review.versionId)
  await publishing(sql, async (tx, stamp) => {
    await requireSeen(tx, review)
    const { open } = await documentState(tx, version.source)
    if (open?.versionId !== version.versionId || open.status !== 'held') throw notHeld()
    await recordReview(tx, version.versionId, { status: 'rejected', by: review.by, note: review.note }, stamp.at)
  })
}
