import { percentOf } from '../../lib/text/percent.ts'
import { describeEvidence } from '../../review/evidence-rules.ts'
import { type HeldDocument, heldDocument, type ItemLine, itemContext, itemLines } from '../../review/item-details.ts'
import type { QueueItem } from '../../review/schema.ts'
import { type OutputOptions, print, printLong, table } from '../output.ts'
import { describeHeldVersion, printable } from '../sources/held-version.ts'
import type { CommandContext } from '../with-installation.ts'
import { contextText } from './review-context.ts'

/** Prints one item with everything that a decision needs. */
export async function showItem(
  { sql, isolation }: CommandContext,
  item: QueueItem,
  options: OutputOptions,
): Promise<void> {
  const lines = await itemLines(sql, item)
  const held = await heldDocument({ sql, isolation }, item)
  const beside = await itemContext({ sql, isolation }, lines)
  const about = [
    `${item.kind} of ${item.provider}, from ${item.source}, since ${item.openedAt}`,
    item.reasons.join(', '),
    item.question,
    ...item.endsBy,
    `Revision ${item.revision}`,
  ]
  const parts = [about.join('\n'), ...absenceText(item), ...detailsText(lines, held), ...beside.map(contextText)]
  const document = { difference: held?.difference?.difference, text: held?.version.markdown }
  const show = held ? printLong : print
  show(options, { item, lines, beside, ...document }, parts.join('\n\n'))
}

function detailsText(lines: ItemLine[], held: HeldDocument | undefined): string[] {
  if (held) return [describeHeldVersion(held.version, held.difference)]
  return lines.length > 0 ? [pricesTable(lines), ...lines.flatMap(evidenceText)] : []
}

/** Everything that is missing or unreadable: the question names the first few. */
function absenceText({ kind, resources, texts }: QueueItem): string[] {
  if (kind === 'price' || kind === 'mass_change' || kind === 'rename') return []
  const lists = [texts, kind === 'unreadable' ? [] : resources].filter((list) => list.length > 0)
  return lists.map((list) => list.map((text) => `  ${printable(text)}`).join('\n'))
}

function pricesTable(lines: ItemLine[]): string {
  const rows = lines.map(({ contentHash, resource, dimension, pricingTier, publishedPrice, price, unit }) => [
    contentHash,
    resource,
    dimension,
    pricingTier,
    publishedPrice ?? '-',
    price,
    (publishedPrice && percentOf(publishedPrice, price)) || '',
    unit,
  ])
  return table(['CONTENT HASH', 'RESOURCE', 'DIMENSION', 'TIER', 'PUBLISHED', 'PROPOSED', 'CHANGE', 'UNIT'], rows)
}

function evidenceText({ resource, dimension, pricingTier, unit, verdict }: ItemLine): string[] {
  if (!verdict) return []
  const { reasons, facts, listed } = describeEvidence(verdict, unit)
  const sentences = [...reasons, ...(listed ? [listed] : []), ...facts].map((line) => `  ${line}`)
  return [[`${resource} ${dimension} ${pricingTier}`, ...sentences].join('\n')]
}
