import type { PriceRow } from '../types.ts'

/** A number of things, whole or a decimal: `3000`, `"0.5"`. */
type Quantity = number | string

/** What is used of one dimension. A tier given here is that of this item alone, such as `{ ttl: '1h' }`. */
export type UsageItem = { dimension: string; quantity: Quantity; tier?: Record<string, string> }

/**
 * One request, or one hour, and how often it happens. Each token counts once: `input_tokens` are those that are neither
 * read from a cache nor written to one, `output_tokens` those that are not `reasoning_tokens`.
 */
export type Usage = {
  items: UsageItem[]
  /**
   * How often this happens; 1 where it is left out. For prices with steps of a monthly volume, all of it is the use of one
   * month.
   */
  requests?: Quantity
  /** The tier of all items: `{ service: 'batch', region: 'eu' }`. */
  tier?: Record<string, string>
  /** The input tokens that steps such as `>200000` are compared with; left out, the sum of all items of input. */
  contextTokens?: Quantity
  /** When it happens, for prices that depend on the time of day (RFC 3339). Left out, the price outside of these windows. */
  at?: string
}

/** One item of a usage, or what of it lies in one step of a monthly volume, with the row that prices it. */
export type CostPart = {
  dimension: string
  /** Of one request; of all requests where the price has steps of a monthly volume. */
  quantity: string
  row: PriceRow
  /** The exact cost of all requests. */
  cost: string
  /** The currency of the cost: that of the row, or of `credit`. */
  currency: string
  /** What one credit costs, where the row is in credits and these are converted. */
  credit?: PriceRow
  /** Why the cost stays in credits. */
  unconverted?: string
  /** The dimension whose price is used, where this one has none of its own. */
  chargedAs?: string
  /** True where the price is another one at other times of the day, and no time was given. */
  variesByTime?: boolean
}

/** An item without a price, and why. Its cost is not in the total. */
export type Unpriced = { dimension: string; quantity: string; reason: string }

export type SellerCost = {
  provider: string
  resource: string
  /** Exact totals by currency; an empty object where nothing has a price. */
  total: Record<string, string>
  parts: CostPart[]
  unpriced: Unpriced[]
}

/** `place` is 1 for the cheapest, equal for equal totals; absent where something has no price, another currency, or costs credits. */
export type RankedCost = SellerCost & { place?: number }
