import type { ItemContext } from '../../review/item-details.ts'

/** Returns what is beside a price as lines of text: neighbours, and the place in the snapshot. */
export function contextText({ resource, dimension, neighbours, snapshot, locator, excerpt }: ItemContext): string {
  const beside = neighbours.map(({ source, provider, resource, dimension: priced, pricingTier, price, sameResource }) =>
    [
      '  ',
      sameResource ? 'same resource' : `${provider} ${resource} (${source})`,
      priced,
      pricingTier === '{}' ? '' : pricingTier,
      price,
    ]
      .filter(Boolean)
      .join(' '),
  )
  return [
    `Beside ${resource} ${dimension}:`,
    ...(beside.length > 0 ? beside : ['   nothing is published beside it']),
    ...(snapshot ? [`   in snapshot ${snapshot.slice(0, 12)}… at ${locator}`] : []),
    ...(excerpt ? [`   ${excerpt}`] : []),
  ].join('\n')
}
