import type { Instant } from '../../../lib/instant.ts'
import type { LineIdentity } from '../../schema.ts'

/** What is known about the price of one line beside what its source says. Stored with the verdict. */
export type Evidence = {
  /** The published price; absent for a first one. */
  before?: string
  after: string
  /** Whether each of them is a price that such a line can have. */
  fitBefore?: Fit
  fitAfter: Fit
  /** What speaks against the new price. */
  misfit?: Misfit
  /** Published prices of the same model at other sellers. */
  sellers?: Range
  /** The new price is far from what all of them charge, though that may be one alone. Caches are not compared. */
  farFromSellers?: true
  /** Several of them charge the new price already, and more of them list it now than the published one. */
  priceOfMost?: true
  /** Other sellers list the model by the name of this provider, as its maker: `maker/model`. */
  isMaker?: true
  /** Published prices of the provider for the same dimension. */
  provider?: Range
  /** Another resource of the provider, whose price has the same share of its input price as the new one. */
  sameShareAs?: string
  /** The limits of its dimension. */
  limits?: { least: number; most: number }
  /** The price divided by the input price of its resource, before and after. */
  toInput?: { before?: number; after?: number }
  /** What the provider's other resources cost in proportion to their input prices. */
  shares?: Range
  /** What sources of independent origin show for the same line. */
  witnesses?: readonly WitnessedPrice[]
  /** When the line had exactly the new price before, within the last seven days. */
  returns?: true
  /** The published price is its first one, and a few days old. */
  recentFirstPrice?: true
}

/**
 * `fits`: others sell the same for nearly the same price. `plausible`: nothing speaks against it. `misfits`: it is
 * outside the limits of its dimension, far from what others charge, or out of proportion to its resource's input price.
 */
export type Fit = 'fits' | 'plausible' | 'misfits'

/** What a source of another origin shows for a line, with the page it was read on. */
export type WitnessedPrice = {
  source: string
  price: string
  /** It is the new price. */
  agrees: boolean
  since?: string
  effectiveFrom?: string
  url?: string
  confidence?: string
}

/** What a price contradicts: its dimension's limits, other sellers' prices, or its resource's input price. */
export type Misfit = 'limits' | 'sellers' | 'input'

export type Range = { count: number; least: number; most: number; median: number }

/** Since when a source has listed a set of prices, over how many good fetches. */
export type Wait = { since: Instant; fetches: number }

/** A published price of a source. */
export type ListedPrice = LineIdentity & { canonicalResource?: string; price: string }

/** What a seller charges: the published price, and the one that the snapshot lists, where it is another. */
export type SellerPrice = {
  provider: string
  price: number
  listed?: number
  /** What the seller lists the model under, as `maker/model`: letters and digits alone. */
  maker?: string
}

/** The published prices of a source, found by the model and by the provider. */
export type PublishedPrices = {
  /** Prices of the same line of the model that a line belongs to, at other providers. */
  sellersOf(line: LineIdentity, canonicalResource?: string): SellerPrice[]
  /** Prices of the provider for the same dimension and tier. */
  ofProvider(line: LineIdentity): number[]
  /** Prices of the provider's other resources for the same dimension and tier, divided by their input prices. */
  sharesOfInput(line: LineIdentity): { resource: string; share: number }[]
}

/** What alone tells a new line from one that the source no longer lists. */
export type ContestedPart = 'unit' | 'currency'
