import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, lineOfResource, pricePoint, resourceIdentity, wirePrice } from './parts.ts'

/** A price with the day from which its provider says it will hold. */
const announcedPrice = z.object({
  price: wirePrice,
  effectiveFrom: z.string().describe('from when it will hold: a day, or an instant, as the provider says it'),
})

const announcement = z.object({
  ...resourceIdentity.shape,
  ...lineOfResource.shape,
  action: z
    .enum(['announced', 'changed', 'withdrawn'])
    .describe(
      'announced: the provider states a price that is not in force yet; changed: it now states another price or day; ' +
        'withdrawn: it no longer states one, and its day has not come or did not change the price',
    ),
  current: pricePoint.optional().describe('the price in force; absent when the line has none yet'),
  announced: announcedPrice.optional().describe('absent when it is withdrawn'),
  replaces: announcedPrice.optional().describe('what was announced before: when it is changed or withdrawn'),
})

/** A provider announced a price for a day to come. Sent only to webhooks that name this event type. */
export const priceAnnounced = envelope(EVENT_VERSIONS['price.announced']).extend({
  ...announcement.shape,
  alias: aliasField,
})

export type PriceAnnouncement = z.infer<typeof announcement>

export function priceAnnouncedEvent(
  provider: string,
  creditPriced: boolean,
  announcement: PriceAnnouncement,
): EventDraft {
  return { type: 'price.announced', provider, payload: announcement, ...audience(creditPriced, [announcement]) }
}
