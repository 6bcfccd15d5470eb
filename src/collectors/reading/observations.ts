import { statedFacts, type WrittenFacts } from '../../catalog/facts/fact-rules.ts'
import type { StatedFact } from '../../catalog/facts/fact-schema.ts'
import { SLUG } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Instant } from '../../lib/instant.ts'
import { storableText } from '../../lib/text.ts'
import type { AnnouncedPrice, Observation, ParsedPrices, UnreadablePrice } from '../../prices/schema.ts'
import { SnapshotError } from '../snapshot-error.ts'
import { countIgnored } from './ignored-counts.ts'
import { isReadableName, noteOf, type Quote, readQuote, unreadablePrice } from './quote-rules.ts'

/** What a parser reads, and when the same bytes will say something else: the start of the next announced price. */
export type ParserResult = ParsedPrices & {
  nextChangeAt?: Instant
  /** What the list states of its resources beside their prices. */
  facts?: StatedFact[]
}

/** Where what is read goes when it is not kept here. */
export type ObservationSink = {
  price: (observed: Observation, rank?: string) => void
  unreadable: (listed: UnreadablePrice) => void
}

type RankedObservation = { observed: Observation; rank?: string }

/**
 * Collects what a parser reads: exact prices per one unit, each line once, and a count with an example of everything
 * that was not taken and why. With a sink prices go there, and their receiver keeps each line once.
 */
export function startObservations(sink?: ObservationSink) {
  const providers = startProviders()
  const observations: RankedObservation[] = []
  const unreadable: UnreadablePrice[] = []
  const announced: AnnouncedPrice[] = []
  const facts: StatedFact[] = []
  const { ignore, counts } = countIgnored()
  let nextChangeAt: Instant | undefined

  function takeUnreadable(listed: UnreadablePrice) {
    if (!isReadableName(listed.resource)) return
    if (sink) sink.unreadable(listed)
    else unreadable.push(listed)
  }

  /** Returns a price as it is stored, or undefined once the quote is counted as one that cannot be read. */
  function observationOf(quote: Quote): Observation | undefined {
    const { observation, ignored, unreadable } = readQuote(quote)
    if (ignored) ignore(ignored.reason, ignored.example)
    if (unreadable) takeUnreadable(unreadable)
    return observation
  }

  /** A price that takes effect later: not served before, and read again when it does. */
  function later(at: Instant, example: string) {
    ignore('a price that takes effect later: it is read when it does', example)
    if (nextChangeAt === undefined || at < nextChangeAt) nextChangeAt = at
  }

  return {
    ignore,
    later,
    provider: providers.name,
    planned: providers.keep,
    /** What the list has of a resource beside its prices, as it is written. */
    facts(provider: string, listed: string, written: WrittenFacts) {
      const resource = listed.trim()
      if (SLUG.test(provider) && isReadableName(resource)) facts.push(...statedFacts(provider, resource, written))
    },
    /** Takes one price, if it can be read. */
    price(quote: Quote) {
      const observed = observationOf(quote)
      if (!observed) return
      providers.keep(observed.provider, observed.provider)
      if (sink) sink.price(observed, quote.rank)
      else observations.push({ observed, rank: quote.rank })
    },
    /** A zero that is not a price: the line is listed, and what it costs is unknown. */
    zero(quote: Quote, reason: string) {
      ignore(reason, `${quote.provider} ${quote.resource} ${quote.dimension} at ${quote.locator}`)
      takeUnreadable(unreadablePrice(quote))
    },
    /** A resource that is listed without a price that can be read. */
    unpriced(provider: string, resource: string, reason: string, locator: string) {
      ignore(reason, `${provider} ${resource}`)
      const text = storableText(reason)
      takeUnreadable({ provider, resource: resource.trim(), text, locator: storableText(locator) })
    },
    /** A price with the instant from which it will hold. */
    announce(quote: Quote, from: Instant) {
      const observation = observationOf(quote)
      if (!observation) return
      announced.push({ observation, from })
      later(from, `${quote.resource} ${quote.dimension}`)
    },
    /** @throws SnapshotError when there is not one price: an empty list never empties the catalog. */
    done(): ParserResult {
      const { kept, unpriced } = providers.done()
      if (kept.length === 0) throw new SnapshotError('The answer lists no prices at all.')
      const read = distinctLines(observations, ignore)
      for (const provider of unpriced) ignore('a provider without any price', provider)
      return {
        providers: kept,
        observations: read,
        ignored: counts(),
        unreadable,
        ...(announced.length > 0 && { announced }),
        ...(nextChangeAt && { nextChangeAt }),
        ...(facts.length > 0 && { facts }),
      }
    },
  }
}
export type Observations = ReturnType<typeof startObservations>

/** The providers of a list by their first name; those without a price are left out. */
function startProviders() {
  const names = new Map<string, { provider: string; name: string }>()
  const kept = new Set<string>()
  return {
    name(provider: string, name: string) {
      names.set(provider, { provider, name: noteOf(name) })
    },
    /** A provider that has a price, or is announced: then it is named although it has none yet. */
    keep(provider: string, name: string) {
      if (!names.has(provider)) names.set(provider, { provider, name: noteOf(name) })
      kept.add(provider)
    },
    done: () => ({
      kept: [...names.values()].filter(({ provider }) => kept.has(provider)),
      unpriced: [...names.keys()].filter((provider) => !kept.has(provider)),
    }),
  }
}

/** Returns each line once: its first price, or the one of the lowest rank. */
function distinctLines(
  observations: readonly RankedObservation[],
  ignore: (reason: string, example: string) => void,
): Observation[] {
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

/** Why one of two prices of a line is not taken. */
export const SAME_AGAIN = 'the same price line again'
export const OTHER_AGAIN = 'the same price line again with another price: the first was taken'

const byRank = ({ rank: a = '' }: { rank?: string }, { rank: b = '' }: { rank?: string }) =>
  a < b ? -1 : a > b ? 1 : 0
