import type { Renaming } from '../../catalog/resource-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { KnownLine, LineIdentity, Money, Observation } from '../schema.ts'
import type { Witness } from '../store/witness-store.ts'
import type { ListedCounts } from './difference/listing-rules.ts'
import type { ContestedPart, Evidence, PublishedPrices, Wait } from './evidence/evidence-schema.ts'
import type { PriceLimits } from './evidence/price-limit-rules.ts'
import type { HoldReason } from './holds/index.ts'
import type { NamedResource } from './renames/rename-rules.ts'

/** A row that the snapshot proposes for a line. */
export type Proposal = {
  key: string
  line: LineIdentity
  known?: KnownLine
  money: Money
  locator: string
  /** continued: the same price, from the source that takes the resource over. */
  kind: 'new' | 'changed' | 'revised' | 'continued'
}

/** Whether a proposal is a price that readers do not see yet. */
export const isPriced = ({ kind }: Proposal): boolean => kind === 'new' || kind === 'changed'

/** The differences between a snapshot and the known lines, before any decision. */
export type Difference = {
  proposals: Proposal[]
  /** Lines that the snapshot confirms as published, though they were missing, removed, held or decided. */
  confirmed: KnownLine[]
  /** Lines whose price in the snapshot is already held or decided. */
  waiting: KnownLine[]
  missing: KnownLine[]
  /** Removed lines that came back with a price that is held, and are absent again. */
  goneAgain: KnownLine[]
  /** Known lines that the snapshot lists with something that is not a price. */
  unreadable: { line: KnownLine; text: string }[]
  /** Published prices that the snapshot writes differently, as it writes them. */
  respelled: { lineId: string; price: string }[]
  unchanged: number
  duplicates: number
  /** The lines of the snapshot of the resources that differ, by resource. */
  seen: Map<string, Observation[]>
}

/** What the plan depends on beside the difference. */
export type Facts = {
  now: Instant
  /** Nothing of this source was ingested before. */
  first: boolean
  /** History is imported, or a newer parser rereads a snapshot: no items to review, and no events. */
  quiet: boolean
  /** A newer parser rereads a snapshot. */
  reread: boolean
  lastIngestedAt?: Instant
  /** Of changed lines whose published price is recent: the earlier prices, by line id. */
  recentPrices: Map<string, RecentPrices>
  /** What other sources publish for the lines that differ, by line key. */
  others: Map<string, OtherPrice[]>
  /** What sources of independent origin show for the lines that differ, by line key. */
  witnesses: Map<string, Witness[]>
  limits: PriceLimits
  /** What the source announced for a day that has come, by line key. */
  announced: ReadonlyMap<string, Wait & { price: string }>
  /** How many resources the providers have that lost lines or change in many resources. */
  listed: ListedCounts
  /** The resources in the snapshot of providers that lost one. */
  seen: NamedResource[]
  /** What the source itself publishes beside the lines that differ. */
  published: PublishedPrices
  /** Renamings (provider, from, to) and removals (provider, resource) that a person rejected, as joined keys. */
  rejected: Set<string>
  /** Missing resources that another source lists, by key: it takes them over. */
  heirs: ReadonlySet<string>
  /** Missing resources that another source is served for: they stay listed, without the lines of this one. By key. */
  continued: ReadonlySet<string>
  /** Missing resources that any source lists, a witness included, by key. */
  listedElsewhere: ReadonlySet<string>
  /** Whether the source is a provider's own word. */
  speaksFor: (provider: string) => boolean
  /** Another list that people keep stands before the source. */
  isBehind: boolean
  /** Renamings that are open in the review queue. */
  openRenames: Renaming[]
}

/** Prices that a line had before its recent one; `isFirst` when it had none. */
export type RecentPrices = { prices: string[]; isFirst: boolean }

/** A price of the same line of the same model in another source, at any seller. */
export type OtherPrice = { provider: string; price: string }

/** Why a line is held or published, and what was known about it then. */
export type Verdict = {
  reasons: HoldReason[]
  evidence?: Evidence
  wait: Wait
  /** When a held line is judged again although its source says nothing new. */
  judgedAgainAt: Instant
}

type HeldProposal = { proposal: Proposal; inMassChange: boolean; verdict: Verdict }
export type HeldLine = {
  line: KnownLine
  verdict: Verdict
  /** The old name whose prices the line continues: why it is published. */
  renamedFrom?: string
}

/** A resource that the snapshot no longer lists, with its published lines. */
export type GoneResource = { provider: string; resource: string; lines: KnownLine[] }

/** A renamed resource with the published lines of its old name. */
export type RenamedLines = Renaming & { lines: KnownLine[] }

/** A renaming of a snapshot. The new name begins with the old prices, unless it had prices of its own: those are judged as ever. */
export type PlannedRenaming = RenamedLines & { wasPriced: boolean }

/** An item to review about absences: one per renaming, and one per provider for removals. */
export type AbsenceToReview = {
  provider: string
  kind: 'removal' | 'rename' | 'line_removal' | 'unreadable'
  reason:
    | 'possible_rename'
    | 'mass_disappearance'
    | 'whole_provider_missing'
    | 'missing_everywhere'
    | 'lines_missing_everywhere'
    | 'unreadable_price'
  resources: string[]
  to?: string
  /** Of lines: what is missing of the resources, or what their prices read. */
  texts?: string[]
}

export type AbsencePlan = {
  /** Lines whose absence is not confirmed yet. */
  missing: KnownLine[]
  /** Why a person has to confirm the removal of missing resources, by key. */
  reasonsToAsk?: ReadonlyMap<string, string>
  renamed: PlannedRenaming[]
  removed: GoneResource[]
  /** Lines that are removed although their resource is still listed. */
  retired: KnownLine[]
  /** Resources of which this source is served for nothing any more, and another one still is. */
  left: GoneResource[]
  toReview: AbsenceToReview[]
  /** The open items about absences stay as they are: nothing new is known of them. */
  keepsOpenItems?: true
  /** New lines that differ from a missing line in unit or currency alone, by line key. */
  contested: Map<string, ContestedPart>
}

/** Everything that a snapshot does to the lines of its source. */
export type Plan = AbsencePlan & {
  publish: Proposal[]
  hold: HeldProposal[]
  confirmed: KnownLine[]
  /** Held rows that are published now. */
  released: HeldLine[]
  /** Held rows that stay held. */
  waiting: HeldLine[]
  /** Why rows are published that were not held before. */
  verdicts: Map<Proposal, Verdict>
  /** Held rows that the source no longer repeats. */
  superseded: KnownLine[]
  /** Lines whose price a person decided about, or that imported history leaves as they are. */
  unjudged: KnownLine[]
  respelled: Difference['respelled']
}
