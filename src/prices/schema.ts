import { z } from 'zod'
import { currency, dimension, pricingTier, slug, unit } from '../catalog/schema.ts'
import { isCanonicalDecimal } from '../lib/decimal.ts'
import type { Instant } from '../lib/instant.ts'
import { storableString } from '../lib/storable-input.ts'
import { isTurning } from '../lib/text.ts'
import { isSamePrice } from './same-price-rules.ts'

/** An exact, canonical, non-negative decimal string. */
export const price = z.string().refine(isCanonicalDecimal, 'must be a canonical decimal')

/** No name is longer; what compares names relies on it. */
export const MAX_NAME_CHARACTERS = 300

/** Whether a text can be a name: storable, without control characters, and of a bounded length. */
export const isName = (text: string): boolean =>
  text.length > 0 && text.length <= MAX_NAME_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(text)

/** Whether a name can be taken from a list: sentences about it must be readable too. */
export const isListedName = (text: string): boolean => isName(text) && !isTurning(text)

/** A text from outside as a name that people read: bounded, and without what cannot be part of one. */
export const readableName = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd').slice(0, MAX_NAME_CHARACTERS)

const resourceName = z
  .string()
  .refine(isName, `must be 1 to ${MAX_NAME_CHARACTERS} characters without control characters`)

/** What a source says about its own evidence for a price. */
const proof = z.object({
  /** The page of the provider it was read on. */
  url: storableString,
  /** How sure the source is, in its own word: `verified`, `archived`, `inferred`, `estimated`. */
  confidence: storableString.optional(),
  /** The day it was last compared with that page. */
  validatedOn: storableString.optional(),
})
export type Proof = z.infer<typeof proof>

/** One price that a parser read from one snapshot: a price line, its price per one unit, and its location. */
export const observation = z.object({
  provider: slug,
  /** The provider's own name of the resource. */
  resource: resourceName,
  dimension,
  unit,
  currency,
  pricingTier,
  price,
  /** `<provider_slug>/<resource_name>` of the maker, where the source names it. */
  canonicalResource: resourceName.optional(),
  /** The day or instant from which the provider says the price holds; may be in the future. */
  effectiveFrom: storableString.optional(),
  category: storableString.optional(),
  billingCondition: storableString.optional(),
  /** Where the source itself read the price, as it says. */
  proof: proof.optional(),
  /** Where the snapshot has it: a JSON Pointer or a row number. */
  locator: storableString,
})
export type Observation = z.infer<typeof observation>

/**
 * A price that a snapshot lists and that cannot be read (`"1,5"`, `"N/A"`, a range): neither a price nor an absence.
 * Without a dimension it means every price of the resource.
 */
export type UnreadablePrice = Pick<Observation, 'provider' | 'resource' | 'locator'> &
  Partial<Pick<Observation, 'dimension' | 'unit' | 'currency' | 'pricingTier'>> & {
    /** What the snapshot has in place of the price, shortened. */
    text: string
  }

/** A price that a source states ahead of its day, and the instant from which it says so. */
export type AnnouncedPrice = { observation: Observation; from: Instant }

/** The result of parsing a snapshot. What the parser does not understand is counted, never dropped silently. */
export type ParsedPrices = {
  providers: { provider: string; name: string }[]
  observations: Observation[]
  /** Prices that are listed but unreadable: their lines are still listed. */
  unreadable?: UnreadablePrice[]
  /** Prices that are announced and not yet in force. */
  announced?: AnnouncedPrice[]
  ignored: { reason: string; count: number; example: string }[]
}

const APPROVAL_STATUSES = ['pending', 'approved', 'auto_approved', 'rejected', 'withdrawn', 'removed'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
/** Only these are ever served. */
export const PUBLISHED_STATUSES = ['approved', 'auto_approved'] as const

/** Tells one price line of a source from another. */
export type LineIdentity = {
  provider: string
  resource: string
  dimension: string
  unit: string
  currency: string
  /** Canonical JSON of the tier; `{}` is the standard tier. */
  pricingTier: string
}

/** The price of a line and the other money fields of a row. */
export type Money = {
  price: string
  effectiveFrom?: string
  canonicalResource?: string
  category?: string
  billingCondition?: string
}

/** The fields whose change, at the same price, is a `price.revised` (specification, Event types). */
export const REVISABLE = ['effectiveFrom', 'canonicalResource', 'category', 'billingCondition'] as const

/** A row that is about to be recorded. */
export type NewRow = LineIdentity &
  Money & {
    lineId: string
    contentHash: string
    recordedAt: Instant
    locator?: string
    parserVersion: number
    snapshotHash?: string
    /** The source whose line it continues. */
    continues?: string
  }

/** A price line in the state before a snapshot is ingested. */
export type KnownLine = LineIdentity & {
  lineId: string
  /** The newest published row. */
  current?: Money & { contentHash: string; recordedAt: Instant }
  /** The row of another source that is served for this line. It ends when a row of this line is published. */
  takesOver?: Money & {
    contentHash: string
    recordedAt: Instant
    source: string
    /** Prices that this other source had for the line before, where it is contradicted by sources that may still have them. */
    left?: string[]
  }
  /** The row that is held for review. */
  held?: Money & {
    contentHash: string
    recordedAt: Instant
    reasons: string[]
    wait: { since: Instant; fetches: number }
    judgedAgainAt?: Instant
  }
  /** The source's price that a person rejected or corrected: it has no effect while the source repeats it. */
  decidedPrice?: string
  /** Where there is a decided price: all prices that people rejected or withdrew and that are newer than the current one. */
  refusedPrices?: string[]
  missingSince?: Instant
  /** Why a person had to confirm its removal when it was first missing: how many went with it then. */
  missingReason?: string
  missingCount: number
  removedAt?: Instant
}

/** Whether a person decided about a price, so that it has no effect until another one is published. */
export const isDecided = ({ decidedPrice, refusedPrices = [] }: KnownLine, price: string): boolean =>
  [decidedPrice, ...refusedPrices].some((refused) => refused !== undefined && isSamePrice(refused, price))

/** Returns the row that readers see for a line: its own, or that of the source which it would take over from. */
export const servedRow = ({ takesOver, current }: KnownLine) => takesOver ?? current

/** Whether a line has a published price and is not removed. */
export const isListed = (line: KnownLine): line is KnownLine & { current: NonNullable<KnownLine['current']> } =>
  line.current !== undefined && line.removedAt === undefined
