import type { Sql } from '../lib/sql.ts'
import { findClosedReview } from '../prices/review/list-reviews.ts'
import { findDecidedVersion } from '../terms/review/list-held-versions.ts'

/** How an item ended. `superseded`: its source says something else now, or enough spoke for it. */
export type ClosedItem = {
  decision: 'approved' | 'rejected' | 'superseded'
  decidedAt: string
  decidedBy: string | null
  reason: string | null
}

/** Returns how an item ended; undefined while it waits, and when there never was one. */
export const closedItem = async (sql: Sql, id: string): Promise<ClosedItem | undefined> =>
  (await findClosedReview(sql, id)) ?? (await findDecidedVersion(sql, id))
