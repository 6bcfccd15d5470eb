import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { linesAround, removedChange, retiredChanges } from '../events/change-rules.ts'
import { removeLines } from '../publish/end-lines.ts'
import { lineKey } from '../row-rules.ts'
import { isListed, type KnownLine } from '../schema.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import type { OpenReview } from '../store/review-store.ts'
import { isEndedBy, resourcesWithout } from './decision-rules.ts'

/** Removes the lines of an item that are still missing, or that are listed with something that is not a price. */
export async function approveLineRemoval(tx: Tx, stamp: Stamp, item: OpenReview) {
  const { source, provider, detail } = item
  const resources = (detail.resources ?? []).map((resource) => ({ provider, resource }))
  const known = await linesOfResources(tx, source, resources)
  const isEnded = (line: KnownLine) => isEndedBy(item, { ...line, isMissing: line.missingSince !== undefined })
  const ended = known.filter((line) => isListed(line) && isEnded(line))
  const { removed, retired } = resourcesWithout(known, ended)
  await removeLines(tx, stamp, source, { removed, retired })
  const around = linesAround(new Map(known.map((line) => [lineKey(line), line])), { published: [] })
  return { changes: [...removed.map(removedChange), ...retiredChanges(retired, around)], rows: 0 }
}
