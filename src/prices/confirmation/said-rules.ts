import type { Difference, Plan } from '../plan/schema.ts'
import { lineKey } from '../row-rules.ts'
import type { LineState } from '../store/publication-store.ts'

/** Returns the known lines of which a snapshot says something else than what is served once its plan is carried out. */
export function unsaidLines(
  { proposals, waiting, missing, unreadable }: Pick<Difference, 'proposals' | 'waiting' | 'missing' | 'unreadable'>,
  { publish, released }: Pick<Plan, 'publish' | 'released'>,
): string[] {
  const published = new Set([...publish.map(({ line }) => line), ...released.map(({ line }) => line)].map(lineKey))
  const changed = proposals.flatMap(({ kind, known }) => (kind === 'changed' && known ? [known] : []))
  const others = [...changed, ...waiting, ...missing, ...unreadable.map(({ line }) => line)]
  return others.filter((line) => !published.has(lineKey(line))).map(({ lineId }) => lineId)
}

/** Whether the source of a line says something else than what is served, as far as the line's state shows it. */
export const isUnsaid = ({ heldHash, missingSince, decidedPrice, removedAt }: LineState): boolean =>
  removedAt === undefined && (heldHash ?? missingSince ?? decidedPrice) !== undefined
