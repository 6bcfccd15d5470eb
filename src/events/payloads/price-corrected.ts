import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import {
  aliasField,
  envelope,
  lineOfResource,
  pricePoint,
  priceRead,
  resourceIdentity,
  shownPrices,
  wireInstant,
} from './parts.ts'

const correction = z.object({
  ...resourceIdentity.shape,
  ...lineOfResource.shape,
  action: z.enum(['withdrawn', 'restored']),
  corrected: pricePoint.describe('the row that was withdrawn or restored'),
  previous: pricePoint.optional().describe("the line's price before the correction; absent when it had none"),
  current: pricePoint.optional().describe("the line's price from now on; absent when none is left"),
  affected: z
    .object({ from: wireInstant, to: wireInstant })
    .describe('withdrawn: the time the wrong row was served; restored: the time the right row was not'),
  reason: z.string().optional(),
  read: priceRead,
  shown: shownPrices,
})

/** A published price was withdrawn as wrong, or a withdrawn price was restored. */
export const priceCorrected = envelope(EVENT_VERSIONS['price.corrected']).extend({
  ...correction.shape,
  alias: aliasField,
})

export type PriceCorrection = z.infer<typeof correction>

export function priceCorrectedEvent(provider: string, creditPriced: boolean, corrected: PriceCorrection): EventDraft {
  return { type: 'price.corrected', provider, payload: corrected, ...audience(creditPriced, [corrected]) }
}
