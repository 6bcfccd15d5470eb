import { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { describeHeldRow, type HeldRowDetails } from '../prices/review/describe-held-row.ts'
import type { ItemLine } from './review-queue.ts'

/** One price of each resource is described, of so many resources: an item about many is alike throughout. */
const MOST_RESOURCES = 3

type ItemContext = Omit<HeldRowDetails, 'row'> & { contentHash: string; snapshot?: string; locator?: string }

/** Returns what is beside the prices of an item: neighbours, and the place in the snapshot. */
export async function itemContext(sql: Sql, lines: ItemLine[]): Promise<ItemContext[]> {
  if (lines.length === 0) return []
  await using isolation = createIsolation()
  const perResource = new Map(lines.toReversed().map((line) => [line.resource, line]))
  const chosen = [...perResource.values()].slice(0, MOST_RESOURCES)
  const described = await Promise.all(
    chosen.map(async ({ contentHash }) => {
      const found = await describeHeldRow({ sql, isolation }, contentHash)
      if (!found) return []
      const { row, ...rest } = found
      return [{ contentHash, snapshot: row.snapshotHash, locator: row.locator, ...rest }]
    }),
  )
  return described.flat()
}

/** Returns the context of a price as lines of text. */
export function contextText({ contentHash, neighbours, snapshot, locator, excerpt }: ItemContext): string {
  const beside = neighbours.map(({ source, provider, resource, dimension, pricingTier, price, sameResource }) =>
    [
      '  ',
      sameResource ? 'same resource' : `${provider} ${resource} (${source})`,
      dimension,
      pricingTier === '{}' ? '' : pricingTier,
      price,
    ]
      .filter(Boolean)
      .join(' '),
  )
  return [
    `Beside ${contentHash.slice(0, 12)}…:`,
    ...(beside.length > 0 ? beside : ['   nothing is published beside it']),
    ...(snapshot ? [`   in snapshot ${snapshot.slice(0, 12)}… at ${locator}`] : []),
    ...(excerpt ? [`   ${excerpt}`] : []),
  ].join('\n')
}
