import { groupBy } from '../../../lib/collections.ts'
import type { Limits, PriceLimits } from './price-limit-rules.ts'

/** A price that was published: found right by the rules, or by a person. */
export type PublishedPrice = {
  provider: string
  dimension: string
  /** What the price is for, without its currency: `token`, `gpu_hour`. */
  unit: string
  price: number
  /** The input price of the same resource and tier; absent for prices that have none beside them. */
  input?: number
}

/** Prices fall often and far, and seldom rise above the dearest. */
const MARGIN_BELOW = 10
const MARGIN_ABOVE = 1.25
/** What a price is in proportion to its input price is a habit of its maker, in both directions. */
const MARGIN_OF_RATIO = 1.25
/** The share of a provider's prices that is left out at each end: its own slips. */
const TRIMMED_SHARE = 0.001
/** The extreme of one provider counts as far as this factor beyond that of the next one. */
const ALONE_FACTOR = 10
/** A limit that follows from fewer prices, or from fewer providers, says more about these than about the dimension. */
const LEAST_PRICES = 100
const LEAST_PROVIDERS = 3
/** What is rented by the hour is never free: a zero is a missing price. */
const RENTED = /_hours$/

const ABOUT =
  'The prices that a line can have, in US dollars for one unit: one outside is published only by a person. Learned by npm run learn-limits from published prices; docs/accuracy.md says how. prices: learned from this many; an entry without it has too few and is set by hand, with a margin of four to ten times. toInput: the price divided by the input price of the same resource and tier. neverFree: a zero is a missing price.'

/**
 * Returns limits that follow from published prices: for each dimension, and for each unit over all its dimensions. An
 * entry with too few prices is left as it is.
 */
export function learnLimits(prices: PublishedPrice[], { dimensions, units }: PriceLimits): PriceLimits {
  const byDimension = groupBy(prices, ({ dimension }) => dimension)
  const byUnit = groupBy(prices, ({ unit }) => unit)
  return {
    about: ABOUT,
    dimensions: learnEntries(dimensions, byDimension, (dimension, found) => ({
      ...ofRatios(found),
      ...(RENTED.test(dimension) && found.every(({ price }) => price > 0) && { neverFree: true }),
    })),
    units: learnEntries(units, byUnit, () => ({})),
  }
}

type Entries = Record<string, Limits>

function learnEntries(
  known: Entries,
  groups: Map<string, PublishedPrice[]>,
  more: (name: string, found: PublishedPrice[]) => Partial<Limits>,
): Entries {
  const names = [...new Set([...Object.keys(known), ...groups.keys()])].sort()
  const entries = names.flatMap((name): [string, Limits][] => {
    const found = groups.get(name) ?? []
    const learned = ofPrices(found)
    if (learned) return [[name, { ...learned, ...more(name, found) }]]
    return known[name] ? [[name, known[name]]] : []
  })
  return Object.fromEntries(entries)
}

function ofPrices(found: PublishedPrice[]): Limits | undefined {
  const priced = found.filter(({ price }) => price > 0).map(({ provider, price }) => ({ provider, value: price }))
  const range = boundsOf(priced)
  if (!range) return undefined
  return { least: rounded(range.least / MARGIN_BELOW), most: rounded(range.most * MARGIN_ABOVE), prices: found.length }
}

function ofRatios(found: PublishedPrice[]): Pick<Limits, 'toInput'> {
  const ratios = found.flatMap(({ provider, price, input, dimension }) =>
    dimension !== 'input_tokens' && input && price > 0 ? [{ provider, value: price / input }] : [],
  )
  const range = boundsOf(ratios)
  if (!range) return {}
  return { toInput: { least: rounded(range.least / MARGIN_OF_RATIO), most: rounded(range.most * MARGIN_OF_RATIO) } }
}

type ProviderValue = { provider: string; value: number }

/** Returns the least and the most of several providers, without the slips of one; undefined where there are too few. */
function boundsOf(found: ProviderValue[]): { least: number; most: number } | undefined {
  const providers = [...groupBy(found, ({ provider }) => provider).values()].map((ofOne) =>
    ofOne.map(({ value }) => value).sort((a, b) => a - b),
  )
  if (found.length < LEAST_PRICES || providers.length < LEAST_PROVIDERS) return undefined
  const trimmed = providers.map((sorted) => {
    const cut = Math.floor(sorted.length * TRIMMED_SHARE)
    return { least: sorted[cut]!, most: sorted.at(-1 - cut)! }
  })
  const least = trimmed.map((one) => one.least).sort((a, b) => a - b)
  const most = trimmed.map((one) => one.most).sort((a, b) => b - a)
  return { least: Math.max(least[0]!, least[1]! / ALONE_FACTOR), most: Math.min(most[0]!, most[1]! * ALONE_FACTOR) }
}

/** Two digits say enough about a limit. */
const rounded = (value: number): number => Number(value.toPrecision(2))
