import type { Renaming } from '../../catalog/resource-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { KnownLine, LineIdentity, Money, Observation } from '../schema.ts'

/** Why a price that changed is held for a person. Shown to operators; docs/prices.md explains each. */
export type HoldReason =
  | 'to_zero'
  | 'from_zero'
  | 'power_of_ten'
  | 'large_change'
  | 'very_large_change'
  | 'flips_back'
  | 'currency_changed'
  | 'unit_changed'
  | 'implausible_price'
  | 'cache_read_above_input'
  | 'cache_write_far_above_input'
  | 'output_below_input'
  | 'batch_above_standard'
  | 'tier_below_base'
  | 'mass_change'
  | 'provider_flipped_unit'

/** A row that the snapshot proposes for a line. */
export type Proposal = {
  key: string
  line: LineIdentity
  known?: KnownLine
  money: Money
  locator: string
  kind: 'new' | 'changed' | 'revised'
}

/** The differences between a snapshot and the known lines, before any decision. */
export type Difference = {
  proposals: Proposal[]
  /** Lines that the snapshot confirms as published, though they were missing, removed, held or decided. */
  confirmed: KnownLine[]
  /** Lines whose price in the snapshot is already held or decided. */
  waiting: KnownLine[]
  missing: KnownLine[]
  unchanged: number
  duplicates: number
  /** Every line of the snapshot, by resource. */
  seen: Map<string, Observation[]>
}

/** What the plan depends on beside the difference. */
export type Facts = {
  now: Instant
  /** Nothing of this source was ingested before. */
  first: boolean
  /** History is imported, or a newer parser rereads a snapshot: no items to review, and no events. */
  quiet: boolean
  lastIngestedAt?: Instant
  /** Recent prices of the changed lines, newest first, by line id. */
  recentPrices: Map<string, string[]>
  /** Keys of changed lines whose new price another, independent source publishes. */
  corroborated: Set<string>
  /** Renamings (provider, from, to) and removals (provider, resource) that a person rejected, as joined keys. */
  rejected: Set<string>
  /** Renamings that are open in the review queue. */
  openRenames: Renaming[]
}

export type HeldProposal = { proposal: Proposal; reasons: HoldReason[]; inMassChange: boolean }

/** A resource that the snapshot no longer lists, with its published lines. */
export type GoneResource = { provider: string; resource: string; lines: KnownLine[] }

/** A renamed resource with the published lines of its old name. */
export type RenamedLines = Renaming & { lines: KnownLine[] }

/** An item to review about absences: one per renaming, and one per provider for removals. */
export type AbsenceToReview = {
  provider: string
  kind: 'removal' | 'rename'
  reason: 'possible_rename' | 'mass_disappearance' | 'whole_provider_missing' | 'missing_everywhere'
  resources: string[]
  to?: string
}

export type AbsencePlan = {
  /** Lines whose absence is not confirmed yet. */
  missing: KnownLine[]
  renamed: RenamedLines[]
  removed: GoneResource[]
  /** Lines that are removed although their resource is still listed. */
  retired: KnownLine[]
  toReview: AbsenceToReview[]
  /** New lines that differ from a missing line in unit or currency alone, by line key. */
  contested: Map<string, HoldReason>
}

/** Everything that a snapshot does to the lines of its source. */
export type Plan = AbsencePlan & {
  publish: Proposal[]
  hold: HeldProposal[]
  confirmed: KnownLine[]
  /** Held rows that the source repeated for a day: they are published now. */
  released: KnownLine[]
  /** Held rows that the source no longer repeats. */
  superseded: KnownLine[]
  waiting: KnownLine[]
}
