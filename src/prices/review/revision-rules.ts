import { revisionOf } from '../../lib/revision.ts'
import type { OpenReview } from '../store/review-store.ts'

type Content = Pick<OpenReview, 'kind' | 'detail' | 'rows' | 'missing'>

/**
 * Returns the revision of an open item: another one where a decision would carry out something else. Why it waits, how
 * often its source was read and what others charge is not part of it: that changes by itself.
 */
export function reviewRevision({ kind, detail, rows, missing }: Content): string {
  const { fetches: _, ...lasting } = detail
  const content = Object.entries(lasting).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.toSorted() : value,
  ])
  return revisionOf([kind, Object.fromEntries(content.toSorted()), rows.toSorted(), missing.toSorted()])
}
