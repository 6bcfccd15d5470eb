import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, lineOfResource, pricePoint, resourceIdentity, wireInstant } from './parts.ts'

const moneyFields = z.object({
  effectiveFrom: z.string().optional(),
  canonicalResource: z.string().optional(),
  category: z.string().optional(),
  billingCondition: z.string().optional(),
})

const revision = z.object({
  ...resourceIdentity.shape,
  ...lineOfResource.shape,
  previous: pricePoint.extend(moneyFields.shape),
  current: pricePoint.extend(moneyFields.shape),
  revised: z
    .array(z.enum(['effectiveFrom', 'canonicalResource', 'category', 'billingCondition']))
    .min(1)
    .describe('the fields that differ'),
  affected: z
    .object({ from: wireInstant, to: wireInstant })
    .describe('the recorded time in which the price was read with the earlier fields'),
})

/** A price kept its value but another money field changed. */
export const priceRevised = envelope(EVENT_VERSIONS['price.revised']).extend({ ...revision.shape, alias: aliasField })

export type PriceRevision = z.infer<typeof revision>

export function priceRevisedEvent(provider: string, creditPriced: boolean, revised: PriceRevision): EventDraft {
  // A revised canonical id matches filters on the old one as on the new one.
  const before = { resource: revised.resource, canonicalResource: revised.previous.canonicalResource }
  return { type: 'price.revised', provider, payload: revised, ...audience(creditPriced, [revised, before]) }
}
