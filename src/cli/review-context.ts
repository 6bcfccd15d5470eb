import type { ItemContext } from '../review/item-details.ts'

/** Returns what is beside a price as lines of text: neighbours, and the place in the snapshot. */
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
