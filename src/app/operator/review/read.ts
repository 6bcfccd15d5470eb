import { AppError } from '../../../lib/errors.ts'
import { percentOf } from '../../../lib/text/percent.ts'
import { readablePrice, readableUnit } from '../../../lib/text/price-text.ts'
import { type AbsentPrice, listAbsentPrices } from '../../../prices/review/list-absent-prices.ts'
import { lineName } from '../../../prices/review/review-text-rules.ts'
import { closedItem } from '../../../review/closed-item.ts'
import { describeEvidence, type EvidenceText } from '../../../review/evidence-rules.ts'
import { findItems } from '../../../review/find-items.ts'
import {
  type HeldDocument,
  heldDocument,
  type ItemContext,
  type ItemLine,
  itemContext,
  itemLines,
} from '../../../review/item-details.ts'
import { readReviewItem } from '../../contracts/operator-review.ts'
import { route } from '../../route.ts'
import { shownItem } from './list.ts'

/** Lines of an item that are shown; it names how many there are. */
const MOST_LINES = 1_000

/** GET /v1/operator/review/{itemId}: what a decision needs, or how the item was decided meanwhile. */
export const readReviewItemRoute = route(readReviewItem, async ({ tools: { sql, isolation }, params: { itemId } }) => {
  const [item] = await findItems(sql, { id: itemId }, 1)
  if (!item) {
    const closed = await closedItem(sql, itemId)
    if (!closed) throw new AppError('not_found', 'There is no such item in the review queue.')
    return { lines: [], known: [], beside: [], closed }
  }
  const lines = await itemLines(sql, { rows: item.rows.slice(0, MOST_LINES) })
  const held = await heldDocument({ sql, isolation }, item)
  return {
    item: shownItem(item),
    lines: lines.map(shownLine),
    known: item.kind === 'terms' ? [] : (await listAbsentPrices(sql, itemId)).map(shownKnown),
    beside: (await itemContext({ sql, isolation }, lines)).map(shownBeside),
    ...(held && { document: shownDocument(held) }),
  }
})

function shownLine({ verdict, ...line }: ItemLine) {
  const { publishedPrice, price, unit } = line
  const { reasons, facts, standing } = verdict ? describeEvidence(verdict, unit) : NOTHING
  return {
    ...line,
    name: lineName(line),
    perUnit: readableUnit(unit),
    change: publishedPrice === undefined ? undefined : percentOf(publishedPrice, price),
    reasons,
    facts,
    standing,
    witnesses: (verdict?.evidence?.witnesses ?? []).flatMap(({ source, url }) => (url ? [{ source, url }] : [])),
  }
}

const NOTHING: EvidenceText = { reasons: [], facts: [] }

const shownKnown = ({ resource, price, unit, waits, ends, ...line }: AbsentPrice) => ({
  resource,
  waits,
  ends,
  name: lineName(line),
  price: readablePrice(price, unit),
  perUnit: readableUnit(unit),
})

const shownBeside = ({ neighbours, ...context }: ItemContext) => ({
  ...context,
  neighbours: neighbours.map(({ source, provider, resource, sameResource, ...line }) => ({
    source,
    provider,
    resource,
    sameResource,
    name: lineName(line),
    perUnit: readableUnit(line.unit),
    price: readablePrice(line.price, line.unit),
  })),
})

function shownDocument({ version, difference }: HeldDocument) {
  const { provider, document, title, url, markdown } = version
  if (!difference) return { provider, document, title, url, text: markdown }
  const { wordsAdded, wordsRemoved, diff, truncated } = difference.difference
  return {
    provider,
    document,
    title,
    url,
    text: markdown,
    difference: {
      before: difference.before.versionId,
      classification: difference.classification,
      wordsAdded,
      wordsRemoved,
      diff,
      truncated: truncated ?? false,
    },
  }
}
