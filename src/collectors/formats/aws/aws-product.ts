import type { Dimension, PricingTier } from '../../../catalog/schema.ts'
import { isObject, type JsonObject, textAt } from '../../reading/json.ts'
import { quantityOf } from '../../reading/quantities.ts'
import { tokensOf } from './aws-tokens.ts'

/** What a product of the AWS price list is here; `unit` is present where it is not that of the dimension. */
export type AwsProduct = {
  resource: string
  canonicalResource?: string
  dimension: Dimension
  decimalShift: number
  unit?: string
  category?: string
  tier: PricingTier
}

/** A product that is none of ours, and one that is listed with something that cannot be read. */
export type NoProduct = { leftOut: string } | { resource: string; unreadable: string }

/** Reads a product and the unit of its rate. */
export function awsProduct(product: JsonObject, unitText: string, sku: string): AwsProduct | NoProduct {
  const attributes = isObject(product.attributes) ? product.attributes : {}
  const quantity = quantityOf(unitText)
  if (!quantity) return { resource: resourceOf(attributes, sku), unreadable: `an unknown unit: ${unitText}` }
  const region = textAt(attributes, 'regionCode')
  const tier: PricingTier = region ? { region } : {}
  const category = textAt(product, 'productFamily')
  const instance = textAt(attributes, 'instanceType')
  if (instance && quantity.unit === 'hour') return machine(attributes, instance, category, tier, quantity.decimalShift)
  const tokens = tokensOf(attributes, quantity.unit)
  if (tokens) return { ...tokens, decimalShift: quantity.decimalShift, category, tier: { ...tier, ...tokens.tier } }
  const { decimalShift, unit } = quantity
  return {
    resource: usageOf(attributes) || sku,
    dimension: 'usage',
    decimalShift,
    unit,
    category,
    tier: { ...tier, sku },
  }
}

const usageOf = (attributes: JsonObject): string =>
  [textAt(attributes, 'servicecode'), textAt(attributes, 'usagetype')].filter(Boolean).join(' / ')

/** The name of a product whatever its unit. */
const resourceOf = (attributes: JsonObject, sku: string): string =>
  textAt(attributes, 'instanceType') ??
  textAt(attributes, 'model') ??
  textAt(attributes, 'titanModel') ??
  (usageOf(attributes) || sku)

/** An hour of a machine as most people rent it; capacity reservations are other meters of the same machine. */
function machine(
  attributes: JsonObject,
  resource: string,
  category: string | undefined,
  region: PricingTier,
  decimalShift: number,
): AwsProduct | NoProduct {
  const capacity = textAt(attributes, 'capacitystatus')
  if (capacity && capacity !== 'Used') return { leftOut: `capacity that is reserved, not used: ${capacity}` }
  const [system, tenancy, software] = ['operatingSystem', 'tenancy', 'preInstalledSw'].map((key) =>
    textAt(attributes, key),
  )
  const tier: PricingTier = {
    ...region,
    ...(system && system !== 'Linux' && { operatingSystem: system.toLowerCase() }),
    ...(tenancy && tenancy !== 'Shared' && { tenancy: tenancy.toLowerCase() }),
    ...(software && software !== 'NA' && { edition: software }),
    ...(attributes.licenseModel === 'Bring your own license' && { offer: 'bring_your_own_license' }),
  }
  return { resource, dimension: 'instance_hours', decimalShift, category, tier }
}
