import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { removedChange } from '../events/change-rules.ts'
import { removeLines } from '../publish/end-lines.ts'
import { isListed } from '../schema.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import type { OpenReview } from '../store/review-store.ts'

/** Removes the resources of an item that are still missing. */
export async function approveRemoval(tx: Tx, stamp: Stamp, { source, provider, detail }: OpenReview) {
  const resources = (detail.resources ?? []).map((resource) => ({ provider, resource }))
  const known = await linesOfResources(tx, source, resources)
  const removed = resources
    .map(({ resource }) => ({
      provider,
      resource,
      lines: known.filter((line) => line.resource === resource && isListed(line)),
    }))
    .filter(({ lines }) => lines.length > 0 && lines.every((line) => line.missingSince))
  await removeLines(tx, stamp, source, { removed })
  return { changes: removed.map(removedChange), rows: 0 }
}
