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
  /** Only when `confirmation` was included: when its source last said so, by `asOf`. Absent where that is not known. */
  confirmedAt?: string
  /** In place of `confirmedAt`: since when other sources contradict the price. */
  contradictedSince?: string
  /** Only when `confirmation` was included. Absent on rows that a newer one superseded. */
  confirmedBy?: Confirmation
}

export type SourceRank = 'provider' | 'verified' | 'community'

/** Which sources said the same as of `asOf`, and which did not. */
export type Confirmation = {
  agree: { source: string; rank: SourceRank }[]
  /** Without a price where the source has none for the line, or one that is held: it waits for review. */
  disagree: { source: string; rank: SourceRank; price?: string; held?: boolean }[]
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
  /** When each source that is served for it was last read well: the oldest of these instants. */
  confirmedAt: string | null
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
  resources: { resource: string; canonicalResource: string | null; dimensions: string[]; confirmedAt: string | null }[]
  docs: { doc: string; url: string }[]
}

/** Whose word a source is: the provider's own, verified at the provider's, or a list that people keep. */
export type Rank = 'provider' | 'verified' | 'community'

/** Where a list says that it read a price itself. */
export type StatedBy = { url: string; confidence?: string; validatedOn?: string }

/** What another source shows for the same price line. */
export type Witness = {
  source: string
  rank: Rank
  resource: string
  price: string
  agrees: boolean
  /** False for lists that copy one another. */
  independent: boolean
  since: string
  lastReadAt?: string
  address?: string
  effectiveFrom?: string
  statedBy?: StatedBy
}

/** Where a served price comes from, and who else shows it. */
export type Evidence = Omit<PriceRow, 'approvalStatus' | 'renamedTo' | 'continues'> & {
  effectiveFrom?: string
  status: string
  servedFrom: string
  /** Absent while the row is served. */
  servedUntil?: string
  rank: Rank
  read: {
    /** The page or file. */
    address?: string
    firstReadAt: string
    /** SHA-256 of the bytes. */
    snapshot?: string
    size?: number
    contentType?: string
    locator?: string
    statedBy?: StatedBy
  }
  /** A person entered this price; the place is what the source shows. */
  entered: boolean
  /** Foreign text as it was: show it, and never run or render it. */
  place?: {
    text: string
    mark?: [number, number]
    table?: { under: string[]; rows: string[][]; headerRows: number; at?: [number, number] }
  }
  /** Why there is no place. */
  noPlace?: 'no_snapshot' | 'snapshot_deleted' | 'too_large' | 'not_found'
  witnesses: Witness[]
}

/** What a proof says of one row. */
export type ProvenRow = {
  leafIndex: number
  /** The leaf that published the row: canonical JSON. */
  leaf: string
  /** The facts of the row: canonical JSON, whose SHA-256 is the row's contentHash. */
  row: string
}
type Hashes = {
  /** In base64. */
  hashes: string[]
  /** What the hashes lead to: a signed checkpoint of the publication log. */
  checkpoint: string
}
/** The proof that a row is in the publication log. */
export type RowProof = ProvenRow & Hashes
/** The proof that every row of a page is. */
export type PageProof = { rows: ProvenRow[] } & Hashes
/** The proof that one checkpoint contains an earlier one. */
export type ConsistencyProof = { from: number; to: number } & Hashes

/** The keys that sign checkpoints, and every name that the log had. */
export type LogKeys = {
  origin: string
  keys: { verifier: string; origin: string; since: string; until: string | null; lastSize: number | null }[]
  origins: {
    origin: string
    path: string
    reason: 'installed' | 'restored' | 'renamed'
    since: string
    firstSize: number
    lastSize: number | null
    lostAfter: string | null
    lostUntil: string | null
  }[]
}
