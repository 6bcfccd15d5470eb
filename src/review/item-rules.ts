import type { OpenReview, ReviewedRow } from '../prices/review/list-reviews.ts'
import { byChange, pricesInWords } from '../prices/review/review-text-rules.ts'
import { waysOut } from '../prices/review/way-out-rules.ts'
import type { HeldVersion } from '../terms/review/list-held-versions.ts'
import type { QueueItem } from './schema.ts'

/** Prices that a question names. */
const MOST_PRICES = 2
/** Rows of an item that are looked at to name the ones that change most. */
export const ROWS_READ = 40

/** Returns an item about prices. `read` are its first rows. */
export function itemOfPrices(review: OpenReview, read: ReviewedRow[]): QueueItem {
  const { reviewId: id, kind, provider, source, reasons, openedAt, rows, detail } = review
  const standing = read.find(({ verdict }) => verdict?.standing)?.verdict?.standing
  return {
    ...{ id, kind, provider, source, reasons, openedAt, rows },
    question: read.length > 0 ? questionOfRows(review, read) : questionOf(review),
    resources: detail.resources ?? [...new Set(read.map(({ row }) => row.resource))],
    texts: detail.texts ?? [],
    endsBy: waysOut(review, standing),
  }
}

function questionOfRows({ rows, reasons }: OpenReview, read: ReviewedRow[]): string {
  const lines = read.map(({ row, publishedPrice }) => ({ ...row, publishedPrice })).sort(byChange)
  const named = lines.slice(0, MOST_PRICES)
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : ''
  return `${pricesInWords(named)}${more}: ${reasons.join(', ')}`
}

function questionOf({ kind, detail, reasons, rows }: OpenReview): string {
  const { resources: names = [], texts = [] } = detail
  if (kind === 'rename') return `Was ${names[0]} renamed to ${detail.to}?`
  if (kind === 'removal') return `Gone for good? ${shortened(names, ', ')}`
  if (kind === 'line_removal') return `Gone for good? ${shortened(texts, ', ')} of ${shortened(names, ', ')}`
  if (kind === 'unreadable') return `No prices any more? ${shortened(texts, '; ')}`
  if (kind === 'snapshot') return detail.message ?? reasons.join(', ')
  return `${rows.length} prices: ${reasons.join(', ')}`
}

/** Names the first few; `review show` lists all. */
const MOST_NAMES = 5
function shortened(names: string[], between: string): string {
  const shown = names.slice(0, MOST_NAMES).join(between)
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown
}

export const itemOfDocument = ({
  versionId,
  provider,
  document,
  reasons,
  heldAt,
  url,
  source,
}: HeldVersion): QueueItem => ({
  id: versionId,
  kind: 'terms',
  provider,
  source,
  reasons,
  openedAt: heldAt,
  question: `Is this the text of ${document} at ${url}?`,
  endsBy: ['Ends when the page shows another text. Only a person can accept this one.'],
  resources: [],
  texts: [],
  rows: [],
})
