import { canonicalContext } from '../../catalog/context-rules.ts'
import { CURRENCY, type Dimension, type PricingTier, SLUG } from '../../catalog/schema.ts'
import { parseDecimal, scaleDown } from '../../lib/decimal.ts'
import { isStorable, oneLine, storableText } from '../../lib/text.ts'
import { MAX_NAME_CHARACTERS, type Observation, type Proof, type UnreadablePrice } from '../../prices/schema.ts'
import { unitOf } from './units.ts'

/** One price as a source writes it, before its number is understood. */
export type Quote = {
  provider: string
  resource: string
  dimension: Dimension
  /** As written: a number or its text. */
  amount: unknown
  /** The amount is for 10^decimalShift units: 6 for a price per million. */
  decimalShift?: number
  currency?: string
  /** Where it is not `<currency>_per_<unit of the dimension>`. */
  unit?: string
  tier?: PricingTier
  locator: string
  /** Of two prices of one line the one of the lower rank is taken; of equal ranks, or without, the first. */
  rank?: string
} & Partial<Pick<Observation, 'canonicalResource' | 'effectiveFrom' | 'category' | 'billingCondition' | 'proof'>>

/** The schema of a pricing tier allows no longer values. */
const MAX_TIER_LENGTH = 200
/** Texts for people are cut: a reason, an example, a category. */
const MAX_REASON_LENGTH = 120
const MAX_NOTE_LENGTH = 300
const MAX_URL_LENGTH = 2_000

/** What becomes of a quote: a price, or why not, and the listed line whose price cannot be read. */
export type QuoteReading = {
  observation?: Observation
  ignored?: { reason: string; example: string }
  unreadable?: UnreadablePrice
}

/** Reads a quote as it is stored: an exact price per one unit. */
export function readQuote(quote: Quote): QuoteReading {
  const { provider, dimension, locator, currency = 'USD', tier = {} } = quote
  const resource = quote.resource.trim()
  const ignored = problemOf(quote, resource)
  if (ignored) return { ignored }
  const amount = readAmount(quote)
  if (amount.problem !== undefined) {
    const shown = `${quote.resource} ${dimension} = ${shownValue(quote.amount)} at ${locator}`
    return { ignored: { reason: amount.problem, example: shown }, unreadable: unreadablePrice(quote) }
  }
  const observation: Observation = {
    provider,
    resource,
    dimension,
    unit: quote.unit ?? unitOf(dimension, currency),
    currency,
    pricingTier: canonicalTier(tier),
    price: amount.price,
    ...(quote.canonicalResource && { canonicalResource: quote.canonicalResource }),
    ...(quote.effectiveFrom && { effectiveFrom: quote.effectiveFrom }),
    ...(quote.category && { category: noteOf(quote.category) }),
    ...(quote.billingCondition && { billingCondition: noteOf(quote.billingCondition) }),
    ...(quote.proof && { proof: proofOf(quote.proof) }),
    locator: storableText(locator),
  }
  return { observation }
}

/** The line of a quote, listed with a price that cannot be read. */
export function unreadablePrice(quote: Quote): UnreadablePrice {
  const { provider, resource, dimension, currency = 'USD', tier = {} } = quote
  const unit = quote.unit ?? unitOf(dimension, currency)
  const line = { dimension, unit, currency, pricingTier: canonicalTier(tier) }
  const locator = storableText(quote.locator)
  return { provider, resource: resource.trim(), ...line, text: shownValue(quote.amount), locator }
}

function problemOf({ provider, locator, currency = 'USD', tier = {} }: Quote, resource: string) {
  const ignored = (reason: string, what: string) => ({ reason, example: `${what} at ${locator}` })
  if (!SLUG.test(provider)) return ignored('a provider whose name is not a slug', provider)
  if (resource === '' || resource.length > MAX_NAME_CHARACTERS)
    return ignored('a resource name that is empty or too long', resource)
  if (!isStorable(resource) || Object.values(tier).some((value) => !isStorable(value)))
    return ignored('a name that holds NUL or half a character', resource)
  if (Object.values(tier).some((value) => value.length > MAX_TIER_LENGTH))
    return ignored('a tier whose value is too long', resource)
  return CURRENCY.test(currency) ? undefined : ignored('an unknown currency', currency)
}

type AmountReading = { price: string; problem?: undefined } | { problem: string }

function readAmount({ amount, decimalShift = 0 }: Quote): AmountReading {
  if (typeof amount !== 'number' && typeof amount !== 'string') return { problem: NOT_A_NUMBER }
  const decimal = parseDecimal(withoutNoise(amount))
  if (decimal?.startsWith('-')) return { problem: 'a negative price: the source’s mark for a dynamic one' }
  const price = decimal && scaleDown(decimal, decimalShift)
  // A text with more digits than money has is damage; moving its point must not hide that.
  return price !== undefined && parseDecimal(price) === price ? { price } : { problem: NOT_A_NUMBER }
}
const NOT_A_NUMBER = 'a price that is not a number'

/** A tier with the one spelling of its step, so that it is one line in every list. */
const canonicalTier = (tier: PricingTier): PricingTier =>
  tier.context === undefined ? tier : { ...tier, context: canonicalContext(tier.context) }

export const isReadableName = (resource: string) =>
  resource !== '' && resource.length <= MAX_NAME_CHARACTERS && isStorable(resource)

/** A value of a list as people read it; what cannot be stored is not even named. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return storableText(part)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [storableText(key), item]))
  })
  return oneLine(text ?? 'nothing', MAX_REASON_LENGTH)
}

/** A text for people, as it can be stored. */
export const noteOf = (text: string): string => storableText(text.slice(0, MAX_NOTE_LENGTH))

const proofOf = ({ url, confidence, validatedOn }: Proof): Proof => ({
  url: storableText(url.slice(0, MAX_URL_LENGTH)),
  ...(confidence && { confidence: noteOf(confidence) }),
  ...(validatedOn && { validatedOn: noteOf(validatedOn) }),
})

/**
 * What a sum of floats leaves behind (`0.30000000000000004`) is beyond the digits a float is exact to. A text is cut only
 * where it is a float's own: a text with as many digits that no float writes was written by hand.
 */
function withoutNoise(amount: number | string): number | string {
  const float = Number(amount)
  if (typeof amount === 'string' && (amount.length <= EXACT_DIGITS || parseDecimal(amount) !== parseDecimal(float)))
    return amount
  const exact = Number(float.toPrecision(EXACT_DIGITS))
  // A fraction without an end (`0.08333333333333334`) is as long without its last digit, and stays as it was written.
  return String(exact).length <= String(float).length - NOISE_LENGTH ? exact : amount
}
const EXACT_DIGITS = 15
const NOISE_LENGTH = 4

/** Whether an amount as written is zero: in many lists a zero fills a gap and is not a price. */
export const isZero = (amount: unknown): boolean =>
  (typeof amount === 'string' || typeof amount === 'number') && parseDecimal(amount) === '0'

/**
 * Whether a list that people keep says nothing by its zeros: it has them for what is sold by subscription, by another
 * unit, or for a price that no one looked up. A model that is free says so in its name.
 */
export const isZeroOfAnything = (resource: string, input: unknown, output: unknown): boolean =>
  isZero(input) && (output === undefined || isZero(output)) && !/\bfree\b/i.test(resource)
