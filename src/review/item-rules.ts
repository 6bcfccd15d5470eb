import { plural } from '../lib/text/plural.ts'
import { endTexts } from '../prices/review/end-text-rules.ts'
import type { OpenReview, ReviewedRow } from '../prices/review/list-reviews.ts'
import { reasonNames } from '../prices/review/reason-text-rules.ts'
import { absenceInWords, byChange, pricesInWords } from '../prices/review/review-text-rules.ts'
import { reviewRevision } from '../prices/review/revision-rules.ts'
import type { HeldVersion } from '../terms/review/list-held-versions.ts'
import { heldRevision } from '../terms/review/revision-rules.ts'
import { LOOKS_LIKE } from '../terms/schema.ts'
import type { QueueItem } from './schema.ts'

/** Prices that a question names. */
const MOST_PRICES = 2
/** Rows of an item that are looked at to name the ones that change most. */
export const ROWS_READ = 40

/** Returns an item about prices. `read` are its first rows. */
export function itemOfPrices(review: OpenReview, read: ReviewedRow[]): QueueItem {
  const { reviewId: id, kind, provider, source, reasons, openedAt, rows, detail } = review
  const wait = read.find(({ verdict }) => verdict?.wait)?.verdict?.wait
  return {
    id,
    revision: reviewRevision(review),
    kind,
    provider,
    source,
    reasons,
    openedAt,
    rows,
    ...(detail.snapshotHash !== undefined && { snapshot: detail.snapshotHash }),
    question: read.length > 0 ? questionOfRows(review, read) : questionOf(review),
    resources: detail.resources ?? [...new Set(read.map(({ row }) => row.resource))],
    texts: (detail.texts ?? []).map(absenceInWords),
    endsBy: endTexts(review, wait),
  }
}

function questionOfRows({ kind, rows, reasons }: OpenReview, read: ReviewedRow[]): string {
  const lines = read.map(({ row, publishedPrice }) => ({ ...row, publishedPrice })).sort(byChange)
  const named = lines.slice(0, MOST_PRICES)
  const why = reasonNames(reasons)
  if (kind === 'mass_change') return `${plural(rows.length, 'price')} at once, such as ${pricesInWords(named)}: ${why}`
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : ''
  return `${pricesInWords(named)}${more}: ${why}`
}

function questionOf({ kind, detail, reasons, rows }: OpenReview): string {
  const { resources = [], texts = [] } = detail
  const missing = plural(resources.length, 'resource')
  if (kind === 'rename') return `Was ${resources[0]} renamed to ${detail.to}?`
  if (kind === 'removal') return `Gone for good? ${missing}: ${shortened(resources)}`
  if (kind === 'line_removal')
    return `Gone for good? ${shortened(texts.map(absenceInWords))} of ${missing}: ${shortened(resources)}`
  if (kind === 'unreadable')
    return `${plural(texts.length, 'price')} could not be read: ${shortened(texts.map(absenceInWords))}`
  if (kind === 'snapshot') return detail.message ?? reasonNames(reasons)
  return `${plural(rows.length, 'price')}: ${reasonNames(reasons)}`
}

/** Names the first few; the item's page and `review show` list all. */
const MOST_NAMES = 2
function shortened(names: string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown
}

export const itemOfDocument = (held: HeldVersion): QueueItem => ({
  id: held.versionId,
  revision: heldRevision(held),
  kind: 'terms',
  provider: held.provider,
  source: held.source,
  reasons: held.reasons,
  openedAt: held.heldAt,
  question: `Is this the text of ${held.document} at ${held.url}?`,
  endsBy: held.reasons.some((reason) => reason.startsWith(LOOKS_LIKE))
    ? ['Ends when the page shows another text. Only a person can accept this one.']
    : ['Published when it has stayed for 3 days. Ends when the page shows another text.'],
  resources: [],
  texts: [],
  rows: [],
})
