import type { Stamp } from '../../catalog/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Plan } from '../plan/plan-rules.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import { closePublications, insertStatuses, type LineStanding, openRows } from '../store/publication-store.ts'

type Absent = Pick<Plan, 'missing' | 'removed' | 'retired' | 'renamed'>

/** Ends what is served of lines that are gone; a renamed resource's rows stay. Answers how the lines stand now. */
export async function applyAbsences(tx: Tx, stamp: Stamp, plan: Absent): Promise<LineStanding[]> {
  const gone = [...plan.removed.flatMap((one) => one.lines), ...plan.retired]
  const hashes = await openRows(
    tx,
    gone.map((line) => line.lineId),
  )
  await closePublications(tx, stamp.at, hashes)
  await insertStatuses(
    tx,
    stamp.at,
    hashes.map((contentHash) => ({
      contentHash,
      seq: stamp.nextSeq(),
      status: 'removed',
      reason: 'no longer listed by its source',
    })),
  )
  const renamed = plan.renamed.flatMap((one) => one.lines)
  const ended = [...gone, ...renamed].map((line) => ({ ...standing(line), removedAt: stamp.at }))
  return [...ended, ...absent(plan, stamp.at)]
}

const standing = (line: KnownLine) => ({
  lineId: line.lineId,
  currentHash: line.current?.contentHash,
  decidedPrice: line.decidedPrice,
  missingSince: line.missingSince,
  missingCount: line.missingCount,
})

/** Lines once more, or newly, absent. A decision about the source's price lasts as long as it tells that price. */
export const absent = (plan: Pick<Plan, 'missing'>, at: Stamp['at']): LineStanding[] =>
  plan.missing.map((line) => ({
    ...standing(line),
    missingSince: line.missingSince ?? at,
    missingCount: line.missingCount + 1,
  }))
