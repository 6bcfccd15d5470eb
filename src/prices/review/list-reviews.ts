import type { Sql } from '../../lib/sql.ts'
import {
  type ClosedReview,
  closedReview,
  type OpenReview,
  openReview,
  openReviewItems,
  type ReviewFilter,
  type StoredVerdict,
  verdictsOf,
} from '../store/review-store.ts'
import { newestServedOf, type StoredRow, storedRows } from '../store/row-store.ts'

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

/** Returns how an item was closed; undefined when it is open or never was. */
export const findClosedReview = (sql: Sql, reviewId: string): Promise<ClosedReview | undefined> =>
  closedReview(sql, reviewId)

export type ReviewedRow = { row: StoredRow; publishedPrice?: string; verdict?: StoredVerdict }

/** Returns price rows, each with the price that is published for its line and why it is held. */
export async function listReviewedRows(sql: Sql, contentHashes: string[]): Promise<ReviewedRow[]> {
  const rows = await storedRows(sql, contentHashes)
  const verdicts = await verdictsOf(sql, contentHashes)
  const served = await newestServedOf(
    sql,
    rows.map(({ lineId }) => lineId),
  )
  const published = await storedRows(sql, [...served.values()])
  const prices = new Map(published.map(({ lineId, price }) => [lineId, price]))
  return rows.map((row) => {
    const publishedPrice = prices.get(row.lineId)
    return { row, verdict: verdicts.get(row.contentHash), ...(publishedPrice !== undefined && { publishedPrice }) }
  })
}
