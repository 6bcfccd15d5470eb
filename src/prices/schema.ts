import { z } from 'zod'
import { currency, dimension, pricingTier, slug, unit } from '../catalog/schema.ts'
import { parseDecimal } from '../lib/decimal.ts'

/** An exact, canonical, non-negative decimal string. */
export const price = z
  .string()
  .refine((text) => parseDecimal(text) === text && !text.startsWith('-'), 'must be a canonical decimal')

/** One price as a parser read it from one snapshot: a price line, its price per one unit, and where it stood. */
export const observation = z.object({
  provider: slug,
  /** The provider's own name of the resource. */
  resource: z.string().min(1).max(300),
  dimension,
  unit,
  currency,
  pricingTier,
  price,
  /** `<provider_slug>/<resource_name>` of whoever makes the resource, where the source says so. */
  canonicalResource: z.string().min(1).max(300).optional(),
  /** The day or instant from which the provider says the price holds; may be in the future. */
  effectiveFrom: z.string().optional(),
  category: z.string().optional(),
  billingCondition: z.string().optional(),
  /** Where in the snapshot it stands, as a JSON Pointer or row number. */
  locator: z.string(),
})
export type Observation = z.infer<typeof observation>

/** What a parser makes of a snapshot. What it does not understand is counted, never dropped in silence. */
export type ParsedPrices = {
  providers: { provider: string; name: string; creditPriced?: boolean }[]
  observations: Observation[]
  ignored: { reason: string; count: number; example: string }[]
}

const APPROVAL_STATUSES = ['pending', 'approved', 'auto_approved', 'rejected', 'withdrawn', 'removed'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
/** Only these are ever served. */
export const PUBLISHED_STATUSES = ['approved', 'auto_approved'] as const
