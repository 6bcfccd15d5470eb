import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import { type AbsencePlan, planAbsences } from './absence-rules.ts'
import type { Difference, Proposal } from './difference-rules.ts'
import { type Held, judge } from './review-reason-rules.ts'

/** What judging a snapshot needs to know beside how it differs. */
export type Facts = {
  now: Instant
  /** Nothing of this source was ever taken in. */
  first: boolean
  /** History is imported: every snapshot was published by its source long ago. */
  quiet: boolean
  lastIngestedAt?: Instant
  /** Prices a changed line had lately, newest first, by line id. */
  recentPrices: Map<string, string[]>
  /** Keys of changed lines whose new price another, independent source publishes. */
  corroborated: Set<string>
  /** `provider/from/to` renamings and `provider/resource` removals a person refused. */
  refused: Set<string>
  /** Renamings a person is asked about already. */
  asked: { provider: string; from: string; to: string }[]
}

/** Everything a snapshot does to the lines of its source. */
export type Plan = AbsencePlan & {
  publish: Proposal[]
  hold: Held[]
  /** Lines seen again as they are published. */
  settled: KnownLine[]
  /** Held rows that the source stood by for a day: published now. */
  released: KnownLine[]
  /** Held rows the source no longer tells. */
  superseded: KnownLine[]
  waiting: KnownLine[]
}

/** A price that only flips back is published once the source stood by it for this long. */
const PATIENCE_MS = DAY

export function planIngest(known: Map<string, KnownLine>, diff: Difference, facts: Facts): Plan {
  const absences = planAbsences(known, diff, facts)
  const renamedTo = new Set(absences.renamed.map(({ provider, to }) => `${provider}\u001f${to}`))
  const { publish, hold } = judge(known, diff, facts, renamedTo, absences.contested)
  const patient = (line: KnownLine) =>
    line.held?.reasons.every((reason) => reason === 'flips_back') &&
    line.held.reasons.length > 0 &&
    epochMs(facts.now) - epochMs(line.held.recordedAt) >= PATIENCE_MS
  const released = diff.waiting.filter(patient)
  const superseded = [
    ...diff.proposals.flatMap(({ known }) => (known?.held ? [known] : [])),
    ...diff.settled.filter((line) => line.held),
    ...diff.missing.filter((line) => line.held),
  ]
  return {
    ...absences,
    publish,
    hold,
    settled: diff.settled,
    released,
    superseded,
    waiting: diff.waiting.filter((line) => !released.includes(line)),
  }
}
