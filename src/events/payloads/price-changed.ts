import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, lineOfResource, pricePoint, priceRead, resourceIdentity, shownPrices } from './parts.ts'

const change = z.object({
  ...resourceIdentity.shape,
  ...lineOfResource.shape,
  previous: pricePoint
    .optional()
    .describe('the price before; absent when the line begins, or begins again, in a resource that was priced before'),
  current: pricePoint.optional().describe('the price from now on; absent when the line ends and its resource goes on'),
  effectiveFrom: z.string().optional().describe('from when the provider says the price holds, where it says so'),
  tier: z
    .enum(['introduced', 'withdrawn'])
    .optional()
    .describe(
      'introduced: the tier is new, and previous is the price without it that applied before; ' +
        'withdrawn: the tier is gone, and current is the price without it that applies now',
    ),
  read: priceRead,
  shown: shownPrices,
})

/** A published price of a resource changed, began or ended: one event per price line. */
export const priceChanged = envelope(EVENT_VERSIONS['price.changed']).extend({ ...change.shape, alias: aliasField })

export type PriceChange = z.infer<typeof change>

export function priceChangedEvent(provider: string, creditPriced: boolean, changed: PriceChange): EventDraft {
  return { type: 'price.changed', provider, payload: changed, ...audience(creditPriced, [changed]) }
}
