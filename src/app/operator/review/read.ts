import { AppError } from '../../../lib/errors.ts'
import { percentOf } from '../../../prices/review/review-text-rules.ts'
import { closedItem } from '../../../review/closed-item.ts'
import { describeEvidence } from '../../../review/evidence-rules.ts'
import { findItems } from '../../../review/find-items.ts'
import { type HeldDocument, heldDocument, type ItemLine, itemContext, itemLines } from '../../../review/item-details.ts'
import { readReviewItem } from '../../contracts/operator-review.ts'
import { route } from '../../route.ts'
import { shownItem } from './list.ts'

/** Lines of an item that are shown; it names how many there are. */
const MOST_LINES = 200

/** GET /v1/operator/review/{itemId}: what a decision needs, or how the item was decided meanwhile. */
export const readReviewItemRoute = route(readReviewItem, async ({ tools: { sql, isolation }, params: { itemId } }) => {
  const [item] = await findItems(sql, { id: itemId }, 1)
  if (!item) {
    const closed = await closedItem(sql, itemId)
    if (!closed) throw new AppError('not_found', 'There is no such item in the review queue.')
    return { lines: [], beside: [], closed }
  }
  const lines = await itemLines(sql, { rows: item.rows.slice(0, MOST_LINES) })
  const held = await heldDocument({ sql, isolation }, item)
  return {
    item: shownItem(item),
    lines: lines.map(shownLine),
    beside: await itemContext({ sql, isolation }, lines),
    ...(held && { document: shownDocument(held) }),
  }
})

function shownLine({ verdict, ...line }: ItemLine) {
  const { publishedPrice, price } = line
  const { reasons = [], evidence, standing } = verdict ?? {}
  return {
    ...line,
    change: publishedPrice === undefined ? undefined : percentOf(publishedPrice, price),
    evidence: verdict ? describeEvidence(reasons, evidence, standing) : [],
    witnesses: (evidence?.witnesses ?? []).flatMap(({ source, url }) => (url ? [{ source, url }] : [])),
  }
}

function shownDocument({ version, difference }: HeldDocument) {
  const { provider, document, title, url, markdown } = version
  if (!difference) return { provider, document, title, url, text: markdown }
  const { wordsAdded, wordsRemoved, diff, truncated } = difference.difference
  return {
    ...{ provider, document, title, url, text: markdown },
    difference: {
      ...{ before: difference.before.versionId, classification: difference.classification },
      ...{ wordsAdded, wordsRemoved, diff, truncated: truncated ?? false },
    },
  }
}
