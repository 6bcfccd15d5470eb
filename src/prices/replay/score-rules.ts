import { groupBy, tally } from '../../lib/collections.ts'
import { earliest } from '../../lib/instant.ts'
import { isInWrongSet, isNews, isTrue, type MeasuredChange, measureAll, type ServedRow } from './measure-rules.ts'
import { findMisses, type Miss } from './miss-rules.ts'
import type { ChangeKind, RawChange } from './raw-change-rules.ts'
import { isFalse, isListedAgain, type PeriodsByLine, type Removal } from './removal-rules.ts'
import type { FlipProof } from './unit-flip-rules.ts'

export type Score = {
  changes: {
    /** Every difference between two snapshots. */
    total: number
    /** Those that may be damage, and how many of them were published. */
    unit_flip: PublishedCount
    to_zero: PublishedCount
    /** The unit flips by what the snapshots say of them. */
    flips: { [proof in FlipProof]: PublishedCount }
    /** The others that the source listed for at least two days: they are the true changes. */
    true: PublishedCount
    /**
     * Those of sets in which the list was wrong, as other sellers and its own correction show, and how many of them were
     * published before that correction.
     */
    wrong: PublishedCount
  }
  /** Over the true changes. Those that were never published count in the share alone. */
  hoursToPublish: { median: number | null; p95: number | null; shareWithin48h: number | null }
  /** The same by reason: `at_once`, or what the price was held for. */
  hoursByReason: Record<string, { changes: number; median: number; p95: number }>
  /** True changes that were never published, by reason. */
  unpublished: Record<string, number>
  /** Sets of one resource of which a reader saw a part before the rest. */
  tornSets: number
  /**
   * Lines removed while their source listed them, or that it listed again within two days; but for those that ended with a
   * true change of their resource, and came back when it ended.
   */
  falseRemovals: number
  /** Lines removed that their source listed again later. */
  listedAgain: number
}

type PublishedCount = { seen: number; published: number }

const WITHIN_HOURS = 48

type History = { changes: RawChange[]; listed: PeriodsByLine }

/** Compares what was served with what the snapshots say. `misses` says what each count is made of. */
export function score(
  { changes, listed }: History,
  served: Map<string, ServedRow[]>,
  removals: Removal[],
): { score: Score; misses: Miss[] } {
  const measured = measureAll(changes, served)
  const count = (wanted: (one: MeasuredChange) => boolean): PublishedCount => {
    const found = measured.filter(wanted)
    return { seen: found.length, published: found.filter(isNews).length }
  }
  const countOf = (kind: ChangeKind) => count(({ change }) => change.kind === kind)
  const flipsOf = (proof: FlipProof) => count(({ flip }) => flip === proof)
  const truly = measured.filter(isTrue)
  const torn = tornSets(measured)
  const wrong = measured.filter(isInWrongSet)
  const hours = truly.flatMap((one) => one.hours ?? [])
  const unpublished: Record<string, number> = {}
  for (const { hours, reasons } of truly)
    if (hours === undefined)
      for (const reason of reasons.length > 0 ? reasons : ['not_held']) tally(unpublished, reason)
  const falselyRemoved = removals.filter((removal) => isFalse(removal, listed, changes))
  const counts: Score = {
    changes: {
      total: changes.length,
      unit_flip: countOf('unit_flip'),
      to_zero: countOf('to_zero'),
      flips: { correction: flipsOf('correction'), slip: flipsOf('slip'), unproven: flipsOf('unproven') },
      true: { seen: truly.length, published: hours.length },
      wrong: { seen: wrong.length, published: wrong.filter(isBeforeCorrection).length },
    },
    hoursToPublish: {
      median: percentile(hours, 0.5),
      p95: percentile(hours, 0.95),
      shareWithin48h: truly.length === 0 ? null : rounded(share(hours, truly.length)),
    },
    hoursByReason: byReason(truly),
    unpublished,
    tornSets: torn.length,
    falseRemovals: falselyRemoved.length,
    listedAgain: removals.filter((removal) => isListedAgain(removal, listed)).length,
  }
  return { score: counts, misses: findMisses(measured, torn.flat(), falselyRemoved, WITHIN_HOURS) }
}

const isBeforeCorrection = ({ publishedAt, wrongUntil }: MeasuredChange) =>
  publishedAt !== undefined && wrongUntil !== undefined && publishedAt < wrongUntil

const share = (hours: number[], of: number) => hours.filter((one) => one <= WITHIN_HOURS).length / of

/**
 * Sets of several lines that were not published at one instant. A line that the source changed once more before the first
 * of them was published belongs to its next set, and one whose price was served all the time is not part of the change.
 */
function tornSets(measured: MeasuredChange[]): MeasuredChange[][] {
  const sets = groupBy(measured, ({ change }) => change.set)
  return [...sets.values()]
    .map((set) => stillListed(set.filter(({ servedBefore }) => !servedBefore)))
    .filter((set) => new Set(set.map(({ publishedAt }) => publishedAt)).size > 1)
}

function stillListed(set: MeasuredChange[]): MeasuredChange[] {
  const published = set.flatMap(({ publishedAt }) => publishedAt ?? [])
  if (published.length === 0) return []
  const first = published.reduce(earliest)
  return set.filter(({ change: { until } }) => !until || until > first)
}

function byReason(measured: MeasuredChange[]): Score['hoursByReason'] {
  const published = measured.filter(({ hours }) => hours !== undefined)
  const groups = groupBy(published, ({ reasons }) => (reasons.length > 0 ? [...reasons].sort().join(', ') : 'at_once'))
  return Object.fromEntries(
    [...groups].map(([reason, ofReason]) => {
      const hours = ofReason.map((one) => one.hours!)
      return [reason, { changes: hours.length, median: percentile(hours, 0.5)!, p95: percentile(hours, 0.95)! }]
    }),
  )
}

function percentile(values: number[], share: number): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  return rounded(sorted[Math.ceil(sorted.length * share) - 1]!)
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
