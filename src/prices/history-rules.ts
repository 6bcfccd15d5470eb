import type { PricingTier } from '../catalog/schema.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Decimal } from '../lib/decimal.ts'
import type { Instant } from '../lib/instant.ts'
import type { PUBLISHED_STATUSES } from './schema.ts'

/** What a published row says of itself, in the order it is served in. `renamedTo` is added when it is read. */
export type PublishedRow = {
  provider: string
  source: string
  resource: string
  dimension: string
  unit: string
  currency: string
  /** The tier, or its canonical JSON text as `price_line.pricing_tier` holds it. */
  pricingTier: PricingTier | string
  price: Decimal | string
  recordedAt: Instant
  contentHash: string
  approvalStatus: (typeof PUBLISHED_STATUSES)[number]
}

/**
 * The JSON text of a published row, kept ready in `publication.body`: a page of history is these texts joined, so a
 * row is serialized once, when it is published. It must stay a non-empty object: reading splices `renamedTo` in.
 */
export function publicationBody(row: PublishedRow): string {
  const tier = typeof row.pricingTier === 'string' ? row.pricingTier : canonicalJson(row.pricingTier)
  const text = (value: string) => JSON.stringify(value)
  return (
    `{"provider":${text(row.provider)},"source":${text(row.source)},"resource":${text(row.resource)},` +
    `"dimension":${text(row.dimension)},"unit":${text(row.unit)},"currency":${text(row.currency)},` +
    `"pricingTier":${tier},"price":${text(row.price)},"recordedAt":${text(row.recordedAt)},` +
    `"contentHash":${text(row.contentHash)},"approvalStatus":${text(row.approvalStatus)}}`
  )
}
