/** The bodies of webhooks. `version` tells them apart; `type` ends with the provider's slug, except in a test event. */

/** A price as it was recorded: `contentHash` is its row in the price history. */
export type PricePoint = { price: string; recordedAt: string; contentHash: string }

type Envelope<Version extends string> = {
  version: Version
  type: string
  /** The same on every retry and resend: process each id once. */
  id: string
  createdAt: string
  eligibleAt: string
  provider: string
}
type ResourceIdentity = { source: string; resource: string; canonicalResource?: string }
type Line = { dimension: string; unit: string; currency: string; pricingTier: Record<string, string> }
export type ListedLine = Line & PricePoint
/** Only on price events that were sent because of an alias group. */
type BecauseOfGroup = { alias?: { id: string; name: string } }
/** Where the current price was read: absent without one, and where no page is known. */
export type PriceRead = { address: string; at: string; rank: 'provider' | 'verified' | 'community' }
/** The prices for people to read, per the usual unit. Absent in events that were recorded before it existed. */
export type ShownPrices = { previous?: string; current?: string; per: string; change?: string }
type Period = { from: string; to: string }

export type PriceChanged = Envelope<'price-change.v1'> &
  ResourceIdentity &
  Line &
  BecauseOfGroup & {
    /** Absent when the price begins, or begins again, in a resource that was priced before. */
    previous?: PricePoint
    /** Absent when the price ends and its resource goes on. */
    current?: PricePoint
    effectiveFrom?: string
    tier?: 'introduced' | 'withdrawn'
    read?: PriceRead
    shown?: ShownPrices
  }

/** A price and from when it will hold: a day, or an instant, as the provider says it. */
export type AnnouncedPrice = { price: string; effectiveFrom: string }

/** Only to webhooks that name `price.announced`. */
export type PriceAnnounced = Envelope<'price-announced.v1'> &
  ResourceIdentity &
  Line &
  BecauseOfGroup & {
    action: 'announced' | 'changed' | 'withdrawn'
    /** The price in force; absent where there is none yet. */
    current?: PricePoint
    /** Absent when it is withdrawn. */
    announced?: AnnouncedPrice
    /** What was announced before: when it is changed or withdrawn. */
    replaces?: AnnouncedPrice
  }

type MoneyFields = {
  effectiveFrom?: string
  canonicalResource?: string
  category?: string
  billingCondition?: string
}

export type PriceRevised = Envelope<'price-revised.v1'> &
  ResourceIdentity &
  Line &
  BecauseOfGroup & {
    previous: PricePoint & MoneyFields
    current: PricePoint & MoneyFields
    revised: (keyof MoneyFields)[]
    affected: Period
  }

export type PriceCorrected = Envelope<'price-corrected.v1'> &
  ResourceIdentity &
  Line &
  BecauseOfGroup & {
    action: 'withdrawn' | 'restored'
    corrected: PricePoint
    previous?: PricePoint
    current?: PricePoint
    affected: Period
    reason?: string
    read?: PriceRead
    shown?: ShownPrices
  }

export type ResourceAdded = Envelope<'resource-added.v1'> & ResourceIdentity & BecauseOfGroup & { lines: ListedLine[] }

export type ResourceRemoved = Envelope<'resource-removed.v1'> &
  ResourceIdentity &
  BecauseOfGroup & { lines: ListedLine[]; missingSince?: string; reason?: 'source_ended' }

export type ResourceRenamed = Envelope<'resource-renamed.v1'> &
  ResourceIdentity &
  BecauseOfGroup & { previousResource: string; previousCanonicalResource?: string; lines: ListedLine[] }

export type ProviderAdded = Envelope<'provider-added.v1'> & { name: string }

type EventGroup = { id: string; name: string; revision: number }

export type AliasMemberAdded = Envelope<'alias-member-added.v1'> & {
  group: EventGroup
  resource: string
  canonicalResource?: string
  lines: (ListedLine & { source: string })[]
}

export type AliasMemberRemoved = Envelope<'alias-member-removed.v1'> & {
  group: EventGroup
  resource: string
  canonicalResource?: string
  groupDeleted: boolean
}

type DocumentVersion = { versionId: string; recordedAt: string; effectiveDate?: string; updatedDate?: string }

type TermsTopic = 'liability' | 'price' | 'data' | 'dates' | 'parties' | 'termination' | 'disputes'

export type TosChanged = Envelope<'tos-change.v1'> & {
  document: string
  title: string
  url: string
  classification: 'dates' | 'minor' | 'substantive'
  /** How much the change matters. Absent in events that were recorded before it was computed. */
  significance?: 'low' | 'medium' | 'high'
  effectiveDate?: string
  previous: DocumentVersion
  current: DocumentVersion
  returnsTo?: string
  /** What is unusual about the change. */
  doubt?: string[]
  summary: {
    wordsRemoved: number
    wordsAdded: number
    sections: { section: string; wordsRemoved: number; wordsAdded: number; removed: string[]; added: string[] }[]
    changes?: { section: string; clause?: string; topics: TermsTopic[]; wordsRemoved: number; wordsAdded: number }[]
    rows?: { section: string; added: string[]; removed: string[]; changed?: string[] }[]
    truncated: boolean
  }
  diff: string
  differenceUrl?: string
}

export type WebhookTest = {
  version: 'webhook-test.v1'
  type: 'webhook.test'
  id: string
  createdAt: string
  test: true
  message: string
}

/** Every event there is now. More may be added: keep a default case. */
export type WebhookEvent =
  | PriceChanged
  | PriceAnnounced
  | PriceRevised
  | PriceCorrected
  | ResourceAdded
  | ResourceRemoved
  | ResourceRenamed
  | ProviderAdded
  | AliasMemberAdded
  | AliasMemberRemoved
  | TosChanged
  | WebhookTest
