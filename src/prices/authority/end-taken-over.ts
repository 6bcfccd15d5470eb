import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Tx } from '../../lib/sql.ts'
import { removeLines } from '../publish/end-lines.ts'
import type { TakenOver } from './settle-authority.ts'

/** Stops serving what other sources say of resources that `source` takes over. */
export async function endTakenOver(tx: Tx, stamp: Stamp, source: string, takenOver: TakenOver[]): Promise<void> {
  for (const [from, resources] of groupBy(takenOver, (resource) => resource.source))
    await removeLines(tx, stamp, from, {
      removed: resources.filter(({ isWhole }) => isWhole),
      retired: resources.filter(({ isWhole }) => !isWhole).flatMap(({ lines }) => lines),
      reason: `${source} decides about it now`,
    })
}
