import { followRenames } from '../../aliases/follow-renames.ts'
import type { Stamp } from '../../catalog/clock-store.ts'
import { retireEmptyProviders } from '../../catalog/provider-store.ts'
import { recordRenames, unlistResources } from '../../catalog/resource-store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { GoneResource, RenamedLines } from '../plan/schema.ts'
import type { KnownLine } from '../schema.ts'
import { openRows } from '../store/publication-store.ts'
import { removedState } from './line-state-rules.ts'
import { publishRows } from './publish-rows.ts'

type Ended = {
  removed?: GoneResource[]
  /** Lines that are removed although their resource is still listed. */
  retired?: KnownLine[]
}

/** Stops serving removed lines and listing removed resources; retires providers without any price left. */
export async function removeLines(tx: Tx, stamp: Stamp, source: string, ended: Ended): Promise<void> {
  const { removed = [], retired = [] } = ended
  const lines = [...removed.flatMap((resource) => resource.lines), ...retired]
  const hashes = await openRows(
    tx,
    lines.map(({ lineId }) => lineId),
  )
  const reason = 'no longer listed by its source'
  await publishRows(tx, stamp, {
    source,
    rows: hashes.map((contentHash) => ({ row: { contentHash }, status: 'removed', reason })),
    lines: lines.map((line) => removedState(line, stamp.at)),
  })
  await unlistResources(tx, source, removed, stamp.at)
  await retireEmptyProviders(tx, [...new Set(removed.map(({ provider }) => provider))], stamp.at)
}

/** Continues resources under new names: the old rows stay served, and alias groups follow. */
export async function renameResources(tx: Tx, stamp: Stamp, source: string, renamed: RenamedLines[]): Promise<void> {
  const lines = renamed.flatMap((renaming) => renaming.lines).map((line) => removedState(line, stamp.at))
  await publishRows(tx, stamp, { source, rows: [], lines })
  await recordRenames(tx, source, renamed, stamp.at)
  const oldNames = renamed.map(({ provider, from }) => ({ provider, resource: from }))
  await unlistResources(tx, source, oldNames, stamp.at)
  await followRenames(tx, stamp, renamed)
}
