import type { Fit, Misfit, Range } from './evidence-schema.ts'
import { isOutside, type Limits } from './price-limit-rules.ts'

/** Two sellers of one model that differ by less sell at nearly the same price. */
const NEAR_FACTOR = 2.5
/** Prices of one model that differ by so much are not in the same unit. */
const FAR_FACTOR = 8
/** Prices, and shares of an input price, that differ by no more were meant to be the same. */
const ROUNDING = 0.02
/** This many other sellers are more than one list's slip. */
const LEAST_SELLERS = 2
/** This many other resources show in what proportions a provider charges. */
const LEAST_SHARES = 5

export type FitFacts = {
  limits: Limits
  /** Published prices of the same line at other sellers of the model. */
  sellers?: Range
  /** The input price of the resource beside this price; absent for the input price itself. */
  input?: number
  /** What the provider's other resources cost in proportion to their input prices. */
  shares?: Range
  /** The name says that it is free. */
  namedFree: boolean
  /** Sellers charge for this dimension alike; what they charge for their caches differs a hundredfold. */
  comparable: boolean
}

export type FitVerdict = { fit: Fit; because?: Misfit }

/** Returns whether a price is one that its line can have. */
export function fitOf(price: number, known: FitFacts): FitVerdict {
  const { limits, sellers, namedFree, comparable } = known
  const enough = sellers !== undefined && sellers.count >= LEAST_SELLERS && sellers.median > 0
  if (price === 0) {
    if (isOutside(price, limits)) return { fit: 'misfits', because: 'limits' }
    if (namedFree) return { fit: 'fits' }
    return enough ? { fit: 'misfits', because: 'sellers' } : { fit: 'plausible' }
  }
  if (isOutside(price, limits)) return { fit: 'misfits', because: 'limits' }
  if (enough && factorBetween(price, sellers.median) <= NEAR_FACTOR) return { fit: 'fits' }
  if (enough && comparable && isFarFromAll(price, sellers)) return { fit: 'misfits', because: 'sellers' }
  return isOutOfProportion(price, known) ? { fit: 'misfits', because: 'input' } : { fit: 'plausible' }
}

/**
 * Whether a price has a proportion to its input price that its dimension never has, or that is far from all others of its
 * provider. In public histories four of five such first prices of output were wrong.
 */
function isOutOfProportion(price: number, { limits, input, shares, comparable }: FitFacts): boolean {
  if (!input) return false
  const share = price / input
  if (limits.toInput && !isWithin(share, limits.toInput)) return true
  return comparable && shares !== undefined && shares.count >= LEAST_SHARES && isFarFromAll(share, shares)
}

/** Whether several sellers charge nearly this price. Other sellers may charge another one: both are possible. */
export const isChargedElsewhere = (price: number, sellers: number[]): boolean =>
  sellers.filter((other) => factorBetween(price, other) <= NEAR_FACTOR).length >= LEAST_SELLERS

/** Prices of one model at other sellers: as they are published, and as the snapshot lists them. */
type SellersPrices = { published: number[]; listed: number[] }

/**
 * Whether several sellers charge exactly the new price already, and more of them list it now than the one before. Sellers
 * follow a maker one after the other; a misread unit is a price that no one charges, or few.
 */
export function isPriceOfMost(before: number, after: number, { published, listed }: SellersPrices): boolean {
  const charging = (price: number, prices: number[]) => prices.filter((other) => differByRounding(other, price)).length
  return charging(after, published) >= LEAST_SELLERS && charging(after, listed) > charging(before, listed)
}

/** Whether a price is far from what all others charge, though there may be one alone. */
export const isFarFromAll = (price: number, { least, most }: Range): boolean =>
  price > most * FAR_FACTOR || price < least / FAR_FACTOR

const isWithin = (value: number, { least, most }: { least: number; most: number }) => value >= least && value <= most

export const differByRounding = (a: number, b: number): boolean => Math.abs(a / b - 1) <= ROUNDING

const factorBetween = (a: number, b: number) => Math.max(a / b, b / a)

/** Returns the range of prices; undefined for none. */
export function rangeOf(prices: number[]): Range | undefined {
  if (prices.length === 0) return undefined
  const sorted = [...prices].sort((a, b) => a - b)
  return {
    count: sorted.length,
    least: sorted[0]!,
    most: sorted.at(-1)!,
    median: sorted[Math.floor((sorted.length - 1) / 2)]!,
  }
}
