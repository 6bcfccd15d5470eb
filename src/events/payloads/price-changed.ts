import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, lineOfResource, pricePoint, resourceIdentity } from './parts.ts'

/** A published price of a resource changed: one event per price line. */
export const priceChanged = envelope(EVENT_VERSIONS['price.changed']).extend({
  ...resourceIdentity.shape,
  ...lineOfResource.shape,
  previous: pricePoint,
  current: pricePoint,
  effectiveFrom: z.string().optional().describe('from when the provider says the price holds, where it says so'),
  alias: aliasField,
})

type Change = Omit<z.infer<typeof priceChanged>, keyof z.infer<ReturnType<typeof envelope>> | 'alias'>

export function priceChangedEvent(provider: string, creditPriced: boolean, change: Change): EventDraft {
  return { type: 'price.changed', provider, payload: change, ...audience(creditPriced, [change]) }
}
