import type { ActivatedProvider } from '../../catalog/providers/provider-status-store.ts'
import type { PricePoint, PriceSource } from '../../events/payloads/parts.ts'
import type { PriceAnnouncement } from '../../events/payloads/price-announced.ts'
import type { Instant } from '../../lib/instant.ts'
import type { LineIdentity, Money } from '../schema.ts'

/** A recorded row with everything an event says about it. */
export type EventRow = LineIdentity & Money & { recordedAt: Instant; contentHash: string }

/** A row and the published row of its line before it. */
type RepricedRow = { row: EventRow; before: Money & PricePoint }

/** A row whose publication a decision or its source undid or renewed, with the line's price before and after. */
type Correction = {
  row: EventRow
  previous?: PricePoint
  current?: PricePoint
  /** withdrawn: the time the row was served; restored: the time it was not. */
  affected: { from: Instant; to: Instant }
  reason: string
}

/** A price that is announced for a day to come, or that was. */
type Announcement = Pick<PriceAnnouncement, 'action' | 'current' | 'announced' | 'replaces'> & {
  row: LineIdentity & Pick<Money, 'canonicalResource'>
}

/** One change of a publication. `eventsOf` decides which changes are events. */
export type Change =
  | ({ kind: 'providerAdded' } & ActivatedProvider)
  | { kind: 'resourceAdded'; rows: EventRow[] }
  | { kind: 'resourceRenamed'; provider: string; from: string; to: string; before?: EventRow; rows: EventRow[] }
  | { kind: 'resourceRemoved'; rows: EventRow[]; missingSince?: Instant; reason?: 'source_ended' }
  | ({ kind: 'priceChanged' } & RepricedRow)
  | ({ kind: 'priceRevised' } & RepricedRow)
  /** A line began in a resource that was priced before, for the first time or again, or was removed from a listed one. */
  | { kind: 'lineAdded' | 'lineRemoved'; row: EventRow }
  /** A line was listed again although its resource continues under another name. */
  | { kind: 'oldNameRelisted'; row: EventRow }
  /** The line comes from another source now, and readers see no other price. */
  | { kind: 'sourceChanged'; row: EventRow }
  /** A tier was added or removed; `base` is the price that applies without it. */
  | { kind: 'stepIntroduced' | 'stepWithdrawn'; row: EventRow; base: PricePoint }
  | ({ kind: 'withdrawn' | 'restored' } & Correction)
  | ({ kind: 'priceAnnounced' } & Announcement)

/** What the events say beside the changes. */
export type EventFacts = {
  source: string
  /** The source's first snapshot: that its lines begin is not news where another source has the resource. */
  isFirstSnapshot: boolean
  /** Its first snapshot is not news at all: it begins in an installation that served others before. */
  startsQuietly: boolean
  /** Providers that price in credits. */
  creditPriced: Set<string>
  /** Where rows were read, by their hash: those that are current now, where it is known. */
  reads: Map<string, PriceSource>
}
