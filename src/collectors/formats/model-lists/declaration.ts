import type { WrittenFacts } from '../../../catalog/facts/fact-rules.ts'
import type { Dimension, PricingTier, SourceDeclaration } from '../../../catalog/schema.ts'
import type { Instant } from '../../../lib/instant.ts'
import type { JsonObject } from '../../reading/json.ts'
import type { Path } from '../../reading/json-entries.ts'

/** What a key of a seller's prices means. */
export type PriceKey = {
  dimension: Dimension
  /** The amount is for 10^shift of the dimension's unit: 6 for a price per million. */
  shift: number
  /** Zero is a price here: the seller lists free models so. Elsewhere a zero fills a gap, or nothing is charged apart. */
  zeroIsFree?: boolean
}

/** An amount as a list writes it, and where: under a key of the declaration, below the object of prices. */
export type Amount = { key: string; value: unknown; at: Path; tier?: PricingTier }

/** What a reader of prices knows beside them. */
export type Reading = {
  at: Instant
  /** Says that something was not taken and why; the example is what was found. */
  report: (reason: string, example: unknown) => void
  /** Says that the same list means something else from an instant on. */
  later: (at: Instant, example: unknown) => void
}

/** One seller behind a list, and the prices of a model there. */
export type Offer = {
  provider: string
  name: string
  pricing: unknown
  at: Path
  /** The list says in words that the model is free here. */
  isFree?: boolean
  /** Why its prices do not count, though the model is listed. */
  unpriced?: string
}

/** A list of models that a seller publishes itself, with a price under each of some keys. */
export type ModelList = {
  format: string
  parserVersion: number
  provider: string
  name: string
  /** The key of the list in the document, or the way to it with dots. Absent where the document is the list. */
  list?: string | undefined
  /** The list is an object by name. */
  isKeyed?: boolean
  /** The key of a model's name at the seller. */
  id: string
  /** The way from a model to its prices; empty where they stand beside its name. */
  pricing: string[]
  prices: Record<string, PriceKey>
  /** What the list has of a model beside its prices. */
  facts?: (model: JsonObject) => WrittenFacts
  /** Keys without which a list is of another format: each stands in at least one model. */
  needed: string[]
  /** Where prices are not in US dollars: the currency that an answer names. */
  currency?: (answer: JsonObject) => string | undefined
  /** The tier of every price, as a source's options say. */
  tier?: (options: SourceDeclaration['options']) => PricingTier
  /** Throws where an answer is not the whole list. */
  check?: (entries: JsonObject[]) => void
  /** What stands among the prices and is none. */
  notPrices?: (key: string) => boolean
  /** Why a model is not on sale, though it is listed. */
  leftOut?: (model: JsonObject, at: Instant) => string | undefined
  /** Why the prices of a model that is on sale do not say what it costs. */
  unclear?: (model: JsonObject) => string | undefined
  /** Where a list gives each model the prices of several sellers. */
  offers?: (model: JsonObject) => Offer[]
  /** Where prices do not stand directly under their keys. */
  amounts?: (pricing: JsonObject, reading: Reading) => Amount[]
}
