import type { Sql } from '../../lib/sql.ts'
import {
  type OpenReview,
  openReview,
  openReviewItems,
  type ReviewFilter,
  type StoredVerdict,
  verdictsOf,
} from '../store/review-store.ts'
import { newestServed, type StoredRow, storedRows } from '../store/row-store.ts'

export type { OpenReview, ReviewFilter } from '../store/review-store.ts'

/** Returns the open review items that meet a filter, the oldest first; with an id that one. */
export async function listReviews(
  sql: Sql,
  { id, ...filter }: ReviewFilter & { id?: string },
  limit: number,
): Promise<OpenReview[]> {
  if (id === undefined) return openReviewItems(sql, limit, filter)
  const review = await openReview(sql, id)
  return review ? [review] : []
}

export type ReviewedRow = { row: StoredRow; publishedPrice?: string; verdict?: StoredVerdict }

/** Returns price rows, each with the price that is published for its line and why it is held. */
export async function listReviewedRows(sql: Sql, contentHashes: string[]): Promise<ReviewedRow[]> {
  const rows: ReviewedRow[] = []
  const verdicts = await verdictsOf(sql, contentHashes)
  for (const row of await storedRows(sql, contentHashes)) {
    const served = await newestServed(sql, row.lineId)
    const [published] = served ? await storedRows(sql, [served]) : []
    const verdict = verdicts.get(row.contentHash)
    rows.push({ row, verdict, ...(published && { publishedPrice: published.price }) })
  }
  return rows
}
