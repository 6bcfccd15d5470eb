import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { decideReview, type ReviewDecision } from '../prices/review/decide-review.ts'
import {
  listReviewedRows,
  listReviews,
  type OpenReview,
  type ReviewedRow,
  type ReviewFilter,
} from '../prices/review/list-reviews.ts'
import { lineInWords } from '../prices/review/review-text-rules.ts'
import { compareWithCurrent, type VersionDifference } from '../terms/read/compare-versions.ts'
import { readVersion, type VersionText } from '../terms/read/read-version.ts'
import { approveVersion } from '../terms/review/approve-version.ts'
import { type HeldVersion, listHeldVersions } from '../terms/review/list-held-versions.ts'
import { rejectVersion } from '../terms/review/reject-version.ts'
import { plural } from './output.ts'
import type { CommandContext } from './with-installation.ts'

const ACTOR = 'operator'

/** Something that waits for a person, of prices or of documents. */
export type QueueItem = {
  id: string
  kind: OpenReview['kind'] | 'terms'
  provider: string
  reasons: string[]
  openedAt: Instant
  /** The decision to make, in one line. */
  question: string
  /** Content hashes of the price rows to review. */
  rows: string[]
}

export type Filter = ReviewFilter & { id?: string }
/** Filters that no document meets: these are about prices. */
const OF_PRICES = ['source', 'reason', 'resource'] as const
/** The prices of an item that its question names. */
const LINES_NAMED = 2

/** What waits, the longest waiting first. */
export async function findItems(sql: Sql, filter: Filter, limit: number): Promise<QueueItem[]> {
  const { kind, openedBefore } = filter
  const reviews = kind === 'terms' ? [] : await listReviews(sql, filter, limit)
  const wantsTerms = (kind === undefined || kind === 'terms') && OF_PRICES.every((key) => filter[key] === undefined)
  const held = wantsTerms ? await listHeldVersions(sql, filter, limit) : []
  const versions = held.filter(({ heldAt }) => openedBefore === undefined || heldAt <= openedBefore)
  const items = [...(await Promise.all(reviews.map((review) => ofPrices(sql, review)))), ...versions.map(ofTerms)]
  return items.sort((a, b) => (a.openedAt < b.openedAt ? -1 : a.openedAt > b.openedAt ? 1 : 0)).slice(0, limit)
}

async function ofPrices(sql: Sql, review: OpenReview): Promise<QueueItem> {
  const { reviewId: id, kind, provider, reasons, openedAt, rows } = review
  const named = rows.length > 0 ? await linesOf(sql, rows.slice(0, LINES_NAMED)) : []
  const more = rows.length > named.length ? [`${rows.length - named.length} more`] : []
  const prices = [...named.map(lineInWords), ...more].join('; ')
  const question = prices ? `${prices}: ${reasons.join(', ')}` : questionOf(review)
  return { id, kind, provider, reasons, openedAt, rows, question }
}

function questionOf({ kind, detail, reasons, rows }: OpenReview): string {
  const { resources: names = [], texts = [] } = detail
  if (kind === 'rename') return `Was ${names[0]} renamed to ${detail.to}?`
  if (kind === 'removal') return `Gone for good? ${names.join(', ')}`
  if (kind === 'line_removal') return `Gone for good? ${texts.join(', ')} of ${names.join(', ')}`
  if (kind === 'unreadable') return `No prices any more? ${texts.join('; ')}`
  if (kind === 'snapshot') return detail.message ?? reasons.join(', ')
  return `${plural(rows.length, 'price')}: ${reasons.join(', ')}`
}

const ofTerms = ({ versionId, provider, document, reasons, heldAt, url }: HeldVersion): QueueItem => ({
  id: versionId,
  kind: 'terms',
  provider,
  reasons,
  openedAt: heldAt,
  question: `Is this the text of ${document} at ${url}?`,
  rows: [],
})

export type ItemLine = {
  contentHash: string
  resource: string
  dimension: string
  pricingTier: string
  unit: string
  price: string
  publishedPrice?: string
  /** Why it is held, and what was known about it when it was judged last. */
  verdict?: ReviewedRow['verdict']
}

/** The price rows an item is about, beside what is published of their lines. */
export const itemLines = (sql: Sql, item: QueueItem): Promise<ItemLine[]> => linesOf(sql, item.rows)

async function linesOf(sql: Sql, hashes: string[]): Promise<ItemLine[]> {
  const rows = await listReviewedRows(sql, hashes)
  return rows.map(({ row: { contentHash, resource, dimension, pricingTier, unit, price }, ...published }) => ({
    contentHash,
    resource,
    dimension,
    pricingTier,
    unit,
    price,
    ...published,
  }))
}

/** A held document, and what it says otherwise than the version in force, where there is one. */
type HeldDocument = { version: VersionText; difference?: VersionDifference }

/** The document that an item is about; undefined for an item about prices. */
export async function heldDocument(sql: Sql, item: QueueItem): Promise<HeldDocument | undefined> {
  if (item.kind !== 'terms') return undefined
  await using isolation = createIsolation()
  return { version: await readVersion(sql, item.id), difference: await compareWithCurrent({ sql, isolation }, item.id) }
}

export type Decision = Pick<ReviewDecision, 'decision' | 'reason' | 'edits' | 'dryRun'>

/** Decides one item. Returns the outcome. @throws AppError */
export async function decide({ sql, config }: CommandContext, item: QueueItem, decision: Decision): Promise<object> {
  if (item.kind !== 'terms') return decideReview(sql, { ...decision, reviewId: item.id, actor: ACTOR })
  const review = { versionId: item.id, by: ACTOR, note: decision.reason, publicUrl: config.publicUrl }
  if (decision.dryRun) return { decision: decision.decision, document: item.question }
  if (decision.decision === 'edit') throw new OperatorError('A document cannot be edited: approve or reject it.')
  if (decision.decision === 'approve') {
    await using isolation = createIsolation()
    return await approveVersion({ sql, isolation }, review)
  }
  await rejectVersion(sql, review)
  return { rejected: item.id }
}
