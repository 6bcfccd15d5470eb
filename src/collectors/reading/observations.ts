import { canonicalContext } from '../../catalog/context-rules.ts'
import { statedFacts, type WrittenFacts } from '../../catalog/facts/fact-rules.ts'
import type { StatedFact } from '../../catalog/facts/fact-schema.ts'
import { CURRENCY, type Dimension, type PricingTier, SLUG } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { parseDecimal, scaleDown } from '../../lib/decimal.ts'
import type { Instant } from '../../lib/instant.ts'
import { isStorable, oneLine, storableText } from '../../lib/text.ts'
import {
  type AnnouncedPrice,
  MAX_NAME_CHARACTERS,
  type Observation,
  type ParsedPrices,
  type Proof,
  type UnreadablePrice,
} from '../../prices/schema.ts'
import { SnapshotError } from '../snapshot-error.ts'
import { unitOf } from './units.ts'

/** What a parser reads, and when the same bytes will say something else: the start of the next announced price. */
export type PricesRead = ParsedPrices & {
  nextChangeAt?: Instant
  /** What the list states of its resources beside their prices. */
  facts?: StatedFact[]
}

/** One price as a source writes it, before its number is understood. */
export type Quoted = {
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
const MAX_EXAMPLE_LENGTH = 200
const MAX_NOTE_LENGTH = 300
const MAX_URL_LENGTH = 2_000
/** Reasons that are counted apart; a list that gives more is broken, and the others are counted together. */
const MAX_REASONS = 500

/** Where what is read goes when it is not kept here. */
export type ObservationSink = {
  price: (observed: Observation, rank?: string) => void
  unreadable: (listed: UnreadablePrice) => void
}

/**
 * Collects what a parser reads: exact prices per one unit, each line once, and a count with an example of everything
 * that was not taken and why. With a sink prices go there, and their receiver keeps each line once.
 */
export function startObservations(sink?: ObservationSink) {
  const providers = new Map<string, { provider: string; name: string }>()
  const kept = new Set<string>()
  const observations: { observed: Observation; rank?: string }[] = []
  const ignored = new Map<string, { reason: string; count: number; example: string }>()
  const unreadable: UnreadablePrice[] = []
  const announced: AnnouncedPrice[] = []
  const facts: StatedFact[] = []
  let nextChangeAt: Instant | undefined

  function ignore(given: string, example: string): undefined {
    const wanted = oneLine(given, MAX_REASON_LENGTH)
    const reason = ignored.has(wanted) || ignored.size < MAX_REASONS ? wanted : 'other reasons'
    const known = ignored.get(reason)
    if (known) known.count++
    else ignored.set(reason, { reason, count: 1, example: oneLine(example, MAX_EXAMPLE_LENGTH) })
  }

  function amountOf(quoted: Quoted): string | undefined {
    const { amount } = quoted
    const shown = `${quoted.resource} ${quoted.dimension} = ${shownValue(amount)} at ${quoted.locator}`
    if (typeof amount !== 'number' && typeof amount !== 'string') {
      ignore('a price that is not a number', shown)
      return undefined
    }
    const decimal = parseDecimal(withoutNoise(amount))
    if (decimal?.startsWith('-')) {
      ignore('a negative price: the source’s mark for a dynamic one', shown)
      return undefined
    }
    const scaled = decimal && scaleDown(decimal, quoted.decimalShift ?? 0)
    // A text with more digits than money has is damage; moving its point must not hide that.
    if (scaled !== undefined && parseDecimal(scaled) === scaled) return scaled
    ignore('a price that is not a number', shown)
    return undefined
  }

  function addUnreadable({ provider, resource, dimension, currency = 'USD', tier = {}, ...quoted }: Quoted): undefined {
    const unit = quoted.unit ?? unitOf(dimension, currency)
    const line = { dimension, unit, currency, pricingTier: canonicalTier(tier) }
    const locator = storableText(quoted.locator)
    takeUnreadable({ provider, resource: resource.trim(), ...line, text: shownValue(quoted.amount), locator })
  }

  function takeUnreadable(listed: UnreadablePrice) {
    if (!isReadableName(listed.resource)) return
    if (sink) sink.unreadable(listed)
    else unreadable.push(listed)
  }

  /** A price as it is stored; undefined, and counted, when it is none. */
  function observationOf(quoted: Quoted): Observation | undefined {
    const { provider, dimension, locator, currency = 'USD', tier = {} } = quoted
    const resource = quoted.resource.trim()
    if (!SLUG.test(provider)) return ignore('a provider whose name is not a slug', `${provider} at ${locator}`)
    if (resource === '' || resource.length > MAX_NAME_CHARACTERS)
      return ignore('a resource name that is empty or too long', `${resource} at ${locator}`)
    if (!isStorable(resource) || Object.values(tier).some((value) => !isStorable(value)))
      return ignore('a name that holds NUL or half a character', `${resource} at ${locator}`)
    if (Object.values(tier).some((value) => value.length > MAX_TIER_LENGTH))
      return ignore('a tier whose value is too long', `${resource} at ${locator}`)
    if (!CURRENCY.test(currency)) return ignore('an unknown currency', `${currency} at ${locator}`)
    const unit = quoted.unit ?? unitOf(dimension, currency)
    const amount = amountOf(quoted)
    if (amount === undefined) return addUnreadable(quoted)
    return {
      provider,
      resource,
      dimension,
      unit,
      currency,
      pricingTier: canonicalTier(tier),
      price: amount,
      ...(quoted.canonicalResource && { canonicalResource: quoted.canonicalResource }),
      ...(quoted.effectiveFrom && { effectiveFrom: quoted.effectiveFrom }),
      ...(quoted.category && { category: noteOf(quoted.category) }),
      ...(quoted.billingCondition && { billingCondition: noteOf(quoted.billingCondition) }),
      ...(quoted.proof && { proof: proofOf(quoted.proof) }),
      locator: storableText(locator),
    }
  }

  /** Takes one price, unless it is none. */
  function price(quoted: Quoted) {
    const observed = observationOf(quoted)
    if (!observed) return
    const { provider } = observed
    if (!providers.has(provider)) providers.set(provider, { provider, name: provider })
    kept.add(provider)
    if (sink) sink.price(observed, quoted.rank)
    else observations.push({ observed, rank: quoted.rank })
  }

  /** A price that takes effect later: not served before, and read again when it does. */
  function later(at: Instant, example: string) {
    ignore('a price that takes effect later: it is read when it does', example)
    if (nextChangeAt === undefined || at < nextChangeAt) nextChangeAt = at
  }

  /** Returns each line once. */
  function distinct(): Observation[] {
    const inOrder = observations.some(({ rank }) => rank !== undefined) ? observations.toSorted(byRank) : observations
    const lines = new Map<string, Observation>()
    for (const { observed } of inOrder) {
      const { provider, resource, dimension, unit, currency, pricingTier, price, locator } = observed
      const line = `${provider}\n${resource}\n${dimension}\n${unit}\n${currency}\n${canonicalJson(pricingTier)}`
      const before = lines.get(line)?.price
      if (before === undefined) lines.set(line, observed)
      else if (before === price) ignore(SAME_AGAIN, `${resource} ${dimension} at ${locator}`)
      else ignore(OTHER_AGAIN, `${resource} ${dimension}: ${before}, then ${price} at ${locator}`)
    }
    return [...lines.values()]
  }

  return {
    price,
    ignore,
    /** A zero that is not a price: the line is listed, and what it costs is unknown. */
    zero(quoted: Quoted, reason: string) {
      ignore(reason, `${quoted.provider} ${quoted.resource} ${quoted.dimension} at ${quoted.locator}`)
      addUnreadable(quoted)
    },
    /** A resource that is listed without a price that can be read. */
    unpriced(provider: string, resource: string, reason: string, locator: string) {
      ignore(reason, `${provider} ${resource}`)
      takeUnreadable({
        provider,
        resource: resource.trim(),
        text: storableText(reason),
        locator: storableText(locator),
      })
    },
    provider(provider: string, name: string) {
      providers.set(provider, { provider, name: noteOf(name) })
    },
    /** What the list has of a resource beside its prices, as it is written. */
    facts(provider: string, listed: string, written: WrittenFacts) {
      const resource = listed.trim()
      if (SLUG.test(provider) && isReadableName(resource)) facts.push(...statedFacts(provider, resource, written))
    },
    /** A provider that is announced: it is named although it has no price yet. */
    planned(provider: string, name: string) {
      if (!providers.has(provider)) providers.set(provider, { provider, name: noteOf(name) })
      kept.add(provider)
    },
    later,
    /** A price with the instant from which it will hold. */
    announce(quoted: Quoted, from: Instant) {
      const observation = observationOf(quoted)
      if (!observation) return
      announced.push({ observation, from })
      later(from, `${quoted.resource} ${quoted.dimension}`)
    },
    /** @throws SnapshotError when there is not one price: an empty list never empties the catalog. */
    done(): PricesRead {
      if (kept.size === 0) throw new SnapshotError('The answer lists no prices at all.')
      const read = distinct()
      for (const { provider } of providers.values())
        if (!kept.has(provider)) ignore('a provider without any price', provider)
      return {
        providers: [...providers.values()].filter(({ provider }) => kept.has(provider)),
        observations: read,
        ignored: [...ignored.values()],
        unreadable,
        ...(announced.length > 0 && { announced }),
        ...(nextChangeAt && { nextChangeAt }),
        ...(facts.length > 0 && { facts }),
      }
    },
  }
}
export type Observations = ReturnType<typeof startObservations>

/** Why one of two prices of a line is not taken. */
export const SAME_AGAIN = 'the same price line again'
export const OTHER_AGAIN = 'the same price line again with another price: the first was taken'

const byRank = ({ rank: a = '' }: { rank?: string }, { rank: b = '' }: { rank?: string }) =>
  a < b ? -1 : a > b ? 1 : 0

/** A tier with the one spelling of its step, so that it is one line in every list. */
const canonicalTier = (tier: PricingTier): PricingTier =>
  tier.context === undefined ? tier : { ...tier, context: canonicalContext(tier.context) }

const isReadableName = (resource: string) =>
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
const noteOf = (text: string): string => storableText(text.slice(0, MAX_NOTE_LENGTH))

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
