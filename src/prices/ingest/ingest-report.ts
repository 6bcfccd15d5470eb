import type { Instant } from '../../lib/instant.ts'

/** What a snapshot did; counts are of price lines unless they say otherwise. */
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
  /** Open questions about absences, by reason, counted in resources. */
  questions: Record<string, number>
  /** Why the whole snapshot was set aside: no price changed. */
  quarantined?: { reason: string; message: string }
  /** What looked like a change and made no event, by reason. */
  suppressed: Record<string, number>
  /** Events recorded, by type. */
  events: Record<string, number>
}

export const emptyReport = (source: string): IngestReport => ({
  source,
  lines: 0,
  unchanged: 0,
  published: 0,
  changed: 0,
  revised: 0,
  missing: 0,
  resourcesAdded: 0,
  resourcesRemoved: 0,
  resourcesRenamed: 0,
  held: {},
  questions: {},
  suppressed: {},
  events: {},
})

export function tally(counts: Record<string, number>, key: string, by = 1): void {
  counts[key] = (counts[key] ?? 0) + by
}

/** Two parts of one snapshot's report: what the second found unchanged is what the first had published. */
export function addReports(first: IngestReport, second: IngestReport): IngestReport {
  const sum = (a: Record<string, number>, b: Record<string, number>) => {
    const all = { ...a }
    for (const [key, count] of Object.entries(b)) tally(all, key, count)
    return all
  }
  return {
    ...second,
    unchanged: first.unchanged,
    published: first.published + second.published,
    resourcesAdded: first.resourcesAdded + second.resourcesAdded,
    held: sum(first.held, second.held),
    events: sum(first.events, second.events),
  }
}
