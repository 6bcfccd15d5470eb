import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { settleProviders } from '../../catalog/providers/provider-status-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { lockUndeclared, recordEnded, resourcesOfSource } from '../../catalog/sources/ended-source-store.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { shownElsewhere } from '../authority/authority-store.ts'
import { removedChange } from '../events/change-rules.ts'
import { isListed } from '../schema.ts'
import { syncAbsenceReviews } from '../store/absence-review-store.ts'
import { heldLines, linesOfResources } from '../store/line-state-store.ts'
import { closeOvertakenReviews } from '../store/review-store.ts'
import { closeSnapshotReview } from '../store/snapshot-review-store.ts'
import { withdrawUpcoming } from '../upcoming/settle-upcoming.ts'
import { removeLines } from './end-lines.ts'
import { supersededRow, supersededState } from './line-state-rules.ts'
import { publishRows } from './publish-rows.ts'
import { recordChanges } from './record-changes.ts'

/** A larger source ends in several publications. */
const RESOURCES_AT_ONCE = 5_000

/**
 * Ends a source that is not declared: its resources are removed, and what of it waits for a person is closed. A resource
 * that another source lists is not removed for subscribers, and has no event. Returns how many resources were removed;
 * undefined when the source is declared again, or has ended.
 */
export async function endSource(sql: Sql, source: string): Promise<number | undefined> {
  for (let removed = 0; ; ) {
    const part = await publishing(sql, (tx, stamp) => endPart(tx, stamp, source))
    if (part === undefined) return undefined
    removed += part.removed
    if (part.done) return removed
  }
}

/** Returns how many resources of a source other sources take over when they are read next. */
export async function countHandovers(sql: Sql, source: string, now: Instant): Promise<number> {
  const resources = await resourcesOfSource(sql, source, RESOURCES_AT_ONCE)
  return (await shownElsewhere(sql, source, resources, now)).filter(({ isHeir }) => isHeir).length
}

async function endPart(tx: Tx, stamp: Stamp, source: string): Promise<{ removed: number; done: boolean } | undefined> {
  if (!(await lockUndeclared(tx, source))) return undefined
  await dropHeld(tx, stamp, source)
  const resources = await resourcesOfSource(tx, source, RESOURCES_AT_ONCE)
  const lines = groupBy((await linesOfResources(tx, source, resources)).filter(isListed), resourceKey)
  const removed = resources.map(({ provider, resource, elsewhere }) => ({
    provider,
    resource,
    elsewhere,
    lines: lines.get(resourceKey({ provider, resource })) ?? [],
  }))
  await removeLines(tx, stamp, source, { removed, reason: 'its source is no longer declared' })
  const reported = removed.filter((gone) => !gone.elsewhere && gone.lines.length > 0)
  const done = resources.length < RESOURCES_AT_ONCE
  const withdrawn = done ? await withdrawUpcoming(tx, stamp, source) : []
  await recordChanges(tx, stamp, source, [
    ...reported.map((gone) => removedChange({ ...gone, reason: 'source_ended' })),
    ...withdrawn,
  ])
  if (done) await settleProviders(tx, await recordEnded(tx, source, stamp.at), stamp.at)
  return { removed: removed.length, done }
}

/** Closes everything of a source that waits for a person. */
async function dropHeld(tx: Tx, stamp: Stamp, source: string): Promise<void> {
  const { at } = stamp
  const held = await heldLines(tx, source)
  await publishRows(tx, stamp, {
    source,
    rows: held.map(supersededRow),
    lines: held.map(supersededState),
  })
  await closeOvertakenReviews(tx, source, at)
  await syncAbsenceReviews(tx, source, at, [])
  await closeSnapshotReview(tx, source, at)
}
