import { tally } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Difference, Plan } from '../plan/schema.ts'
import type { RecordedChanges } from '../publish/record-changes.ts'
import type { Duplicates } from '../staging/compare-store.ts'
import type { FoundUpcoming, Upcoming } from '../upcoming/schema.ts'

/** What ingesting a snapshot did. Counts are of price lines unless they say otherwise. */
export type IngestReport = {
  source: string
  /** When it was recorded; absent when nothing was. */
  at?: Instant
  lines: number
  unchanged: number
  published: number
  changed: number
  revised: number
  missing: number
  resourcesAdded: number
  resourcesRemoved: number
  resourcesRenamed: number
  /** Lines held for a person, by reason; a line with two reasons counts under both. */
  held: Record<string, number>
  /** Absences in the review queue, by reason, counted in resources. */
  questions: Record<string, number>
  /** Why the whole snapshot was quarantined: no price changed. */
  quarantined?: { reason: string; message: string }
  /** Changes and lines without an event, by reason. */
  suppressed: Record<string, number>
  /** Events recorded, by type. */
  events: Record<string, number>
}

type SnapshotReading = { lines: number; diff: Difference; suppressed: Record<string, number> }

/** Adds the lines that a snapshot has more than once. */
export function tallyDuplicates(suppressed: Record<string, number>, { same, other }: Duplicates): void {
  const count = (same?.count ?? 0) + (other?.count ?? 0)
  if (count > 0) tally(suppressed, 'duplicate_line', count)
}

/** Returns the report of a snapshot that was read and compared. */
export function startReport(source: string, { lines, diff, suppressed }: SnapshotReading): IngestReport {
  return {
    source,
    lines,
    unchanged: diff.unchanged,
    published: 0,
    changed: 0,
    revised: 0,
    missing: 0,
    resourcesAdded: 0,
    resourcesRemoved: 0,
    resourcesRenamed: 0,
    held: {},
    questions: {},
    suppressed,
    events: {},
  }
}

/** Adds what the plan does. */
export function countPlan(report: IngestReport, plan: Plan): void {
  const countOf = (wanted: string) => plan.publish.filter(({ kind }) => kind === wanted).length
  report.published = plan.publish.length + plan.released.length
  report.changed = countOf('changed')
  report.revised = countOf('revised')
  report.missing = plan.missing.length
  report.resourcesRemoved = plan.removed.length
  report.resourcesRenamed = plan.renamed.length
  for (const { verdict } of plan.hold) for (const reason of verdict.reasons) tally(report.held, reason)
  for (const { reason, resources } of plan.toReview) tally(report.questions, reason, resources.length)
}

/** Adds what is announced and not kept, by reason. */
export function countAnnounced(report: IngestReport, { upcoming, suppressed }: FoundUpcoming, kept: Upcoming[]): void {
  for (const [reason, count] of Object.entries(suppressed)) tally(report.suppressed, reason, count)
  const implausible = upcoming.length - kept.length
  if (implausible > 0) tally(report.suppressed, 'announced_implausible', implausible)
}

/** What one publication did, or a part of it. */
export type PublicationSummary = {
  at: Instant
  /** Rows of a first load. */
  rows: number
  /** Absent for a quiet import, like `recorded` and `suppressed`. */
  resourcesAdded?: number
  recorded?: RecordedChanges
  /** Changes of volatile prices that are not sent now. */
  suppressed?: number
}

/** Adds what one publication did beside the plan. */
export function countPublished(
  report: IngestReport,
  { at, rows, resourcesAdded = 0, recorded, suppressed = 0 }: PublicationSummary,
): void {
  report.at = at
  report.published += rows
  report.resourcesAdded += resourcesAdded
  if (suppressed > 0) tally(report.suppressed, 'volatile', suppressed)
  for (const [type, count] of Object.entries(recorded?.events ?? {})) tally(report.events, type, count)
  for (const [reason, count] of Object.entries(recorded?.suppressed ?? {})) tally(report.suppressed, reason, count)
}

/** Two parts of one snapshot's report: what the second found unchanged is what the first had published. */
export function addReports(first: IngestReport, second: IngestReport): IngestReport {
  const events = { ...first.events }
  for (const [type, count] of Object.entries(second.events)) tally(events, type, count)
  return {
    ...second,
    unchanged: first.unchanged,
    published: first.published + second.published,
    resourcesAdded: first.resourcesAdded + second.resourcesAdded,
    events,
  }
}
