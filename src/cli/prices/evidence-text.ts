import type { Evidence, NoPlace } from '../../evidence/schema.ts'
import { readablePrice, readableUnit } from '../../lib/text/price-text.ts'
import { oneLine } from '../../lib/text.ts'
import { table } from '../output.ts'

const WHY: Record<NoPlace, string> = {
  no_snapshot: 'It was recorded without a snapshot.',
  snapshot_deleted: 'Its snapshot is not kept any more.',
  too_large: 'Its snapshot is larger than 32 MB and is not looked through.',
  not_found: 'Its snapshot has no such place as it is read today.',
}

/** Returns the evidence for a price as lines for a terminal. */
export function evidenceText(found: Evidence): string {
  const { provider, resource, dimension, pricingTier, price, unit, source, rank, read, entered, place, witnesses } =
    found
  const tier = Object.values(pricingTier).join(', ')
  const { statedBy } = read
  return [
    `${provider} ${resource}, ${dimension}${tier && ` (${tier})`}: ${readablePrice(price, unit)} ${readableUnit(unit)}`,
    `Served from ${found.servedFrom}${found.servedUntil ? ` until ${found.servedUntil}` : ''}.`,
    ...(entered ? ['A person entered this price. What the source shows is below.'] : []),
    `Read at ${read.address ?? 'an address that was not kept'} (${source}, ${rank}), first ${read.firstReadAt}.`,
    ...(statedBy
      ? [`The list took it from ${statedBy.url}${statedBy.validatedOn ? `, ${statedBy.validatedOn}` : ''}.`]
      : []),
    ...(read.locator ? [`Place: ${read.locator}`] : []),
    '',
    place ? indented(place.text) : WHY[found.noPlace ?? 'not_found'],
    '',
    witnesses.length > 0
      ? table(
          ['Other source', 'Rank', 'Shows', 'Since'],
          witnesses.map((one) => [
            one.source,
            one.rank,
            `${readablePrice(one.price, unit)}${one.agrees ? ', the same' : ''}${one.independent ? '' : ', may be copied'}`,
            one.since,
          ]),
        )
      : 'No other source shows a price for this line.',
  ].join('\n')
}

/** Foreign text: nothing in it may move the cursor of a terminal. */
const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${oneLine(line, line.length)}`)
    .join('\n')
