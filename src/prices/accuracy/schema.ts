import type { Rank } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { LineIdentity } from '../schema.ts'

/** What the sources of the day say of a served price: one of these, the first that holds. */
export const STATES = ['contradicted', 'byProvider', 'independent', 'ownList', 'unconfirmed'] as const
export type State = (typeof STATES)[number]

/** When its own source last said so. */
export const AGES = ['day', 'week', 'month', 'before'] as const
export type Age = (typeof AGES)[number]

/** What is known of a served price. */
export type ServedFacts = {
  /** The rank of its source for its provider. */
  rank: Rank
  /** Its source still says so, and was read lately. */
  said: boolean
  fresh: boolean
  /** Of the others that say so, one is the provider's own word, or two are of different origin. */
  byProvider: boolean
  independent: boolean
  /** One of them is of another origin than its own source. */
  independentOfOwn: boolean
  /** Other sources have contradicted it for 48 hours. */
  contradicted: boolean
  /** A page or list of the provider itself has another price now. */
  providerDiffers: boolean
  /** How long ago its source last said so; absent where it never did, as far as is known. */
  hours: number | null
}

/** Served prices of a provider of which the same is known. */
export type FactsGroup = ServedFacts & { provider: string; count: number }

/** Hours from the first sight of a changed price anywhere until it was published. */
export type Lag = { published: number; hoursMedian: number | null; hoursP90: number | null }

type Counts = Record<State, number> & { said: Record<Age, number> }

/** The served prices of a provider from sources of one rank. */
export type Group = Counts & Lag & { provider: string; rank: Rank }

/** What was measured on a day. */
export type DayMeasurement = { day: string; measuredAt: Instant; total: Lag; groups: Group[] }

/** The sums of a day. */
export type DayTotal = Record<State, number> & Lag & { day: string }

/** A served price that its sources contradict now. */
export type ContradictedPrice = LineIdentity & {
  contentHash: string
  source: string
  price: string
  /** Since when, where it has been for 48 hours. */
  since?: Instant
  /** The other prices, and who has them. */
  others: { source: string; rank: Rank; price: string }[]
}
