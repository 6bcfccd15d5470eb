import type { Dimension, PricingTier } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Decimal } from '../../lib/decimal.ts'
import type { Instant } from '../../lib/instant.ts'
import type { PUBLISHED_STATUSES } from '../schema.ts'

/** What a published row says of itself, in the order it is served in. `renamedTo` is added when it is read. */
export type PublishedRow = {
  provider: string
  source: string
  resource: string
  dimension: string
  unit: string
  currency: string
  /** The tier, or its canonical JSON text as `price_line.pricing_tier` holds it. */
  pricingTier: PricingTier | string
  price: Decimal | string
  recordedAt: Instant
  contentHash: string
  approvalStatus: (typeof PUBLISHED_STATUSES)[number]
  /** The source whose line this row continues: it was served until then. */
  continues?: string
}

/**
 * The JSON text of a published row, kept ready in `publication.body`: a page of history is these texts joined, so a
 * row is serialized once, when it is published. It stays a non-empty object that begins with `provider`: reading splices
 * `renamedTo` in at its end and finds the page's last row by its beginning.
 */
export function publicationBody(row: PublishedRow): string {
  const tier = typeof row.pricingTier === 'string' ? row.pricingTier : canonicalJson(row.pricingTier)
  const text = (value: string) => JSON.stringify(value)
  return (
    `{"provider":${text(row.provider)},"source":${text(row.source)},"resource":${text(row.resource)},` +
    `"dimension":${text(row.dimension)},"unit":${text(row.unit)},"currency":${text(row.currency)},` +
    `"pricingTier":${tier},"price":${text(row.price)},"recordedAt":${text(row.recordedAt)},` +
    `"contentHash":${text(row.contentHash)},"approvalStatus":${text(row.approvalStatus)}` +
    (row.continues === undefined ? '}' : `,"continues":${text(row.continues)}}`)
  )
}

/** How each row's text begins, and what precedes its contentHash: neither can occur inside a JSON string. */
const ROW_START = ',{"provider":'
const HASH_START = '"contentHash":"'
const HASH_CHARACTERS = 64

/**
 * A page out of the rows' texts joined by commas, read one row further than the page reaches: without that row when it
 * is there, and the contentHash that the next page begins after.
 */
export function pageOf(texts: Buffer, found: number, limit: number): { prices: Buffer; next?: string } {
  if (found <= limit) return { prices: texts }
  const prices = texts.subarray(0, texts.lastIndexOf(ROW_START))
  const hash = prices.lastIndexOf(HASH_START) + HASH_START.length
  return { prices, next: prices.toString('latin1', hash, hash + HASH_CHARACTERS) }
}

/** Rows on a page of history (specification, Limits). */
export const MAX_PAGE_ROWS = 10_000
export const DEFAULT_PAGE_ROWS = 5_000

/** What rows may say beside what they were recorded with. */
export const INCLUDED = ['confirmation'] as const
export type IncludeOption = (typeof INCLUDED)[number]

/** Whose word a price may have to be: the provider's own, or that of two sources of different origin. */
export const CONFIRMED_BY = ['provider', 'independent'] as const
export type ConfirmedBy = (typeof CONFIRMED_BY)[number]

/** A page of history to be read: a first page, or the one a cursor continues to. */
export type HistoryRequest = {
  limit: number
  /** Absent on a first page means the newest instant allowed. */
  asOf?: Instant
  /** Slugs, each once; absent means every provider that does not price in credits. */
  providers?: string[]
  /** An id or a name on a first page; on later ones the id, at the revision the first page read. */
  alias?: { reference: string; revision?: number }
  filters?: RowFilters
  /** What rows say beside what they were recorded with. */
  include?: IncludeOption[]
  /** Only what differs from this earlier instant. */
  since?: Instant
  /** The contentHash the page begins after; empty at the start. */
  after: string
  /** The timeline of the history that the first page read. Absent on a first page. */
  timeline?: string
}

/** Providers that a request may name: this many fit into a cursor, and that into the next page's address. */
export const MAX_PROVIDERS = 200

/** Names that one filter may list, and their size in bytes of UTF-8: cursors hold them too. */
export const MAX_FILTER_NAMES = 50
export const MAX_FILTER_BYTES = 4_000

/** What narrows an answer beside providers and alias. What is absent narrows nothing. */
export type RowFilters = {
  /** Exact names, as providers call their resources. */
  resources?: string[]
  /** Canonical ids that rows were recorded with. */
  canonicalResources?: string[]
  dimensions?: Dimension[]
  /** Of each price line only its newest row, under the name that is listed at asOf. */
  current?: true
  /** Only rows that were confirmed so at asOf. */
  confirmed?: ConfirmedBy
}

/** A page of history: its fields without the rows, and the rows' JSON texts joined by commas. */
export type HistoryAnswer = {
  head: {
    asOf: Instant
    since?: Instant
    nextCursor: string | null
    alias?: { id: string; name: string; revision: number }
    members?: { provider: string; resource: string }[]
    /** Only with since: the contentHash of each row that is no longer part of the answer. */
    unpublished?: string[]
  }
  prices: Buffer
  include?: IncludeOption[]
}
