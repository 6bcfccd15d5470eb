import { followRenames } from '../../aliases/follow-renames.ts'
import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { formerNames, recordRenames, unlistResources } from '../../catalog/resource-store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { GoneResource, RenamedLines } from '../plan/schema.ts'
import type { KnownLine } from '../schema.ts'
import { discontinuedLines, linesOfFormerNames, openRows } from '../store/publication-store.ts'
import { removedState } from './line-state-rules.ts'
import { publishRows } from './publish-rows.ts'

type EndingLines = {
  removed?: GoneResource[]
  /** Lines that are removed although their resource is still listed. */
  retired?: KnownLine[]
  /** Resources of which the last lines are among the retired ones: they stay listed by another source. */
  left?: GoneResource[]
  /** Why; that their source no longer lists them, when left out. */
  reason?: string
}

/** Stops serving removed lines, under former names too, and listing removed resources. */
export async function removeLines(tx: Tx, stamp: Stamp, source: string, ended: EndingLines): Promise<void> {
  const { removed = [], retired = [], left = [], reason = 'no longer listed by its source' } = ended
  const lines = [...removed.flatMap((resource) => resource.lines), ...retired]
  const retiredIds = retired.map(({ lineId }) => lineId)
  const former = [
    ...(await linesOfFormerNames(tx, source, await formerNames(tx, source, removed))),
    ...(await linesOfFormerNames(tx, source, await formerNames(tx, source, retired), retiredIds)),
  ]
  await publishRows(tx, stamp, {
    source,
    rows: await removedRows(tx, [...lines.map(({ lineId }) => lineId), ...former], reason),
    lines: lines.map((line) => removedState(line, stamp.at)),
  })
  await unlistResources(tx, source, [...removed, ...left], stamp.at)
}

const removedRows = async (tx: Tx, lineIds: string[], reason: string) =>
  (await openRows(tx, lineIds)).map((contentHash) => ({ row: { contentHash }, status: 'removed' as const, reason }))

/**
 * Continues resources under new names: the rows of the old ones stay served, but for lines that the new name does not
 * have, and alias groups follow.
 */
export async function renameResources(tx: Tx, stamp: Stamp, source: string, renamed: RenamedLines[]): Promise<void> {
  if (renamed.length === 0) return
  const lines = renamed.flatMap((renaming) => renaming.lines).map((line) => removedState(line, stamp.at))
  await recordRenames(tx, source, renamed, stamp.at)
  const newNames = renamed.map(({ provider, to }) => ({ provider, resource: to }))
  const ended = await discontinuedLines(tx, source, await formerNames(tx, source, newNames))
  await publishRows(tx, stamp, { source, rows: await removedRows(tx, ended, 'not listed under the new name'), lines })
  const oldNames = renamed.map(({ provider, from }) => ({ provider, resource: from }))
  await unlistResources(tx, source, oldNames, stamp.at)
  await followRenames(tx, stamp, renamed)
}
