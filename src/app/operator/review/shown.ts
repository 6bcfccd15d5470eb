import { percentOf } from '../../../lib/text/percent.ts'
import { readablePrice, readableUnit } from '../../../lib/text/price-text.ts'
import type { AbsentPrice } from '../../../prices/review/list-absent-prices.ts'
import { reasonText } from '../../../prices/review/reason-text-rules.ts'
import { lineName } from '../../../prices/review/review-text-rules.ts'
import { describeEvidence, type EvidenceText } from '../../../review/evidence-rules.ts'
import type { HeldDocument, ItemContext, ItemLine } from '../../../review/item-details.ts'
import type { QueueItem } from '../../../review/schema.ts'

/** An item without the hashes of its rows, with its reasons in words. */
export const shownItem = ({ rows, reasons, ...item }: QueueItem) => ({
  ...item,
  rows: rows.length,
  reasons: worthSaying(reasons).map((code) => ({ code, ...reasonText(code) })),
})

/** That some of the prices only wait for the others says nothing about the item. */
const worthSaying = (reasons: string[]) =>
  reasons.length > 1 ? reasons.filter((code) => code !== 'with_its_set') : reasons

const NOTHING: EvidenceText = { reasons: [], facts: [] }

export const shownKnown = ({ resource, price, unit, waits, ends, ...line }: AbsentPrice) => ({
  resource,
  waits,
  ends,
  name: lineName(line),
  price: readablePrice(price, unit),
  perUnit: readableUnit(unit),
})

export const shownBeside = ({ neighbours, ...context }: ItemContext) => ({
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

export function shownLine({ verdict, ...line }: ItemLine) {
  const { publishedPrice, price, unit } = line
  const { reasons, facts, listed } = verdict ? describeEvidence(verdict, unit) : NOTHING
  return {
    ...line,
    name: lineName(line),
    perUnit: readableUnit(unit),
    change: publishedPrice === undefined ? undefined : percentOf(publishedPrice, price),
    reasons,
    facts,
    listed,
    witnesses: (verdict?.evidence?.witnesses ?? []).flatMap(({ source, url }) => (url ? [{ source, url }] : [])),
  }
}

export function shownDocument({ version, difference }: HeldDocument) {
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
