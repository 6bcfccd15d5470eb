import { z } from 'zod'
import type { LineIdentity } from '../../schema.ts'

const range = z.strictObject({ least: z.number().nonnegative(), most: z.number().positive() })

/** The prices that a line of a dimension can have, in US dollars for one unit. */
const limits = range.extend({
  /** Its price divided by the input price of the same resource and tier. */
  toInput: range.optional(),
  /** A zero is a missing price. */
  neverFree: z.boolean().optional(),
  /** From this many published prices it was learned; absent where there were too few, and it was set by hand. */
  prices: z.number().int().positive().optional(),
})
export type Limits = z.infer<typeof limits>

/** sources/price-limits.json: the limits of each unit, and of dimensions that need their own. */
export const priceLimits = z.strictObject({
  about: z.string(),
  dimensions: z.record(z.string(), limits),
  units: z.record(z.string(), limits),
})
export type PriceLimits = z.infer<typeof priceLimits>

const NO_LIMITS: Limits = { least: 0, most: Number.POSITIVE_INFINITY }

/** A dollar is worth up to this many units of another currency, and no less than a half. */
const MOST_PER_DOLLAR = 30_000
const LEAST_PER_DOLLAR = 0.5

/** Returns the limits of a line; none for prices in credits, whose worth differs from provider to provider. */
export function limitsOf({ dimensions, units }: PriceLimits, { dimension, unit, currency }: LineIdentity): Limits {
  if (!/^[A-Z]{3}$/.test(currency)) return NO_LIMITS
  const found = dimensions[dimension] ?? units[unit.slice(unit.indexOf('_per_') + '_per_'.length)] ?? NO_LIMITS
  if (currency === 'USD') return found
  return { ...found, least: found.least * LEAST_PER_DOLLAR, most: found.most * MOST_PER_DOLLAR }
}

/** Whether a price is outside the limits of its line. */
export const isOutside = (price: number, { least, most, neverFree }: Limits): boolean =>
  price === 0 ? (neverFree ?? false) : price < least || price > most
