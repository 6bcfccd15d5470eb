/** The answers of the read API. Fields may be added at any time: ignore what you do not know. */

/** One published price. `price` is an exact decimal per one unit: do not bill with it as a float. */
export type PriceRow = {
  provider: string
  /** With provider, resource, dimension, unit, currency and pricingTier it names the price line. */
  source: string
  /** The provider's own name of the resource. */
  resource: string
  dimension: string
  /** `<currency>_per_<one thing>`. */
  unit: string
  currency: string
  /** `{}` is the standard tier. */
  pricingTier: Record<string, string>
  price: string
  /** A price line's current price is its row with the newest `recordedAt`. */
  recordedAt: string
  /** Identity of the row. */
  contentHash: string
  approvalStatus: 'approved' | 'auto_approved'
  /** On rows under an old name: the name the resource has at `asOf`. */
  renamedTo?: string
  /** On the first row after another source began to decide about the line: the source that was served until then. */
  continues?: string
}

/** An exact name in an alias group. */
export type Member = { provider: string; resource: string }

/** One page of the price history. */
export type HistoryPage = {
  /** Store it beside anything you compute: sent again, it reproduces the rows. */
  asOf: string
  /** Only when `since` was requested. */
  since?: string
  /** Null on the last page. */
  nextCursor: string | null
  /** Only when `alias` was requested. */
  alias?: { id: string; name: string; revision: number }
  /** Only when `alias` was requested: the whole group. */
  members?: Member[]
  /** Only when `since` was requested: the contentHash of each row that is no longer part of the answer. */
  unpublished?: string[]
  prices: PriceRow[]
}

export type Provider = {
  /** The slug that `providers` and webhooks name. */
  provider: string
  name: string
  status: 'active' | 'pending'
  activatedAt: string | null
  freshness: 'fresh' | 'stale' | 'unknown'
  lastCheckedAt: string | null
}

export type AliasGroup = {
  id: string
  /** Its display name, which may change. */
  resource: string
  revision: number
  updatedAt: string
  members: Member[]
  retired: boolean
}

/** The alias groups, and every resource that could be compared. */
export type Aliases = {
  groups: AliasGroup[]
  version: number
  unpriced: { group: string; provider: string; resource: string; lastPricedAt: string | null }[]
  resources: {
    provider: string
    resource: string
    canonicalResource: string | null
    /** Its group's name, or its canonical id, or its own name. */
    comparisonResource: string
  }[]
  canReview: boolean
}

/** What a webhook can be filtered on for one provider. */
export type Catalog = {
  updatedAt: string | null
  resources: { resource: string; canonicalResource: string | null; dimensions: string[] }[]
  docs: { doc: string; url: string }[]
}
