import type { Sql } from '../lib/sql.ts'
import { listReviewedRows, listReviews, type OpenReview } from '../prices/review/list-reviews.ts'
import { type HeldVersion, listHeldVersions } from '../terms/review/list-held-versions.ts'
import { itemOfDocument, itemOfPrices, ROWS_READ } from './item-rules.ts'
import type { QueueFilter, QueueItem } from './schema.ts'

/** An open item before it is put in words, which needs its rows. */
export type OpenItem = { id: string; openedAt: string } & ({ prices: OpenReview } | { document: HeldVersion })

/** Returns what waits and meets a filter, the longest waiting first. */
export async function findItems(sql: Sql, filter: QueueFilter, limit: number): Promise<QueueItem[]> {
  return describeItems(sql, await openItems(sql, filter, limit))
}

/** Returns what waits for a person, of prices and of documents, the longest waiting first. */
export async function openItems(sql: Sql, filter: QueueFilter, limit: number): Promise<OpenItem[]> {
  const { all, ...wanted } = filter
  // Possible renamings ask no one: who names their kind wants them. An item that is named by its id is found anyway.
  const asking = { ...wanted, ...(!all && filter.kind !== 'rename' && { asks: true }) }
  const reviews = filter.kind === 'terms' ? [] : await listReviews(sql, asking, limit)
  const items = [
    ...reviews.map((prices) => ({ id: prices.reviewId, openedAt: prices.openedAt, prices })),
    ...(await heldDocuments(sql, filter)).map((document) => ({
      id: document.versionId,
      openedAt: document.heldAt,
      document,
    })),
  ]
  return items.sort((a, b) => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0)).slice(0, limit)
}

/** Documents are few: they are filtered here. */
async function heldDocuments(sql: Sql, filter: QueueFilter): Promise<HeldVersion[]> {
  const { kind = 'terms', source, reason, resource, openedBefore } = filter
  if (kind !== 'terms' || resource !== undefined) return []
  const held = await listHeldVersions(sql, filter, ALL)
  return held.filter(
    (version) =>
      (source === undefined || version.source === source) &&
      (reason === undefined || version.reasons.includes(reason)) &&
      (openedBefore === undefined || version.heldAt <= openedBefore),
  )
}

const ALL = 10_000

export const describeItems = (sql: Sql, items: OpenItem[]): Promise<QueueItem[]> =>
  Promise.all(
    items.map(async (item) => {
      if ('document' in item) return itemOfDocument(item.document)
      const { prices } = item
      return itemOfPrices(prices, await listReviewedRows(sql, prices.rows.slice(0, ROWS_READ)))
    }),
  )
