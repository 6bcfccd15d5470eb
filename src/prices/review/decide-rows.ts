import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { readAgain } from '../../catalog/sources/source-ingest-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { endReplaced, linesReplacedBy } from '../authority/replace-lines.ts'
import { changesOfRows, linesAround, providerChanges } from '../events/change-rules.ts'
import { publishRows } from '../publish/publish-rows.ts'
import { lineKey } from '../row-rules.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import { closeOvertakenReviews, type OpenReview } from '../store/review-store.ts'
import { storedRows } from '../store/row-store.ts'
import { decidedRows, publicationOf } from './decision-rules.ts'
import type { ReviewDecision } from './schema.ts'

/**
 * Publishes or rejects the rows of an item: all held rows of its resources, which are published or refused together. The
 * caller read the item under the lock of its source, so they are held now.
 */
export async function decideRows(tx: Tx, stamp: Stamp, { source, rows }: OpenReview, request: ReviewDecision) {
  const held = await storedRows(tx, rows)
  const known = await linesOfResources(tx, source, held)
  const lines = new Map(known.map((line) => [line.lineId, line]))
  const decided = decidedRows(held, request, stamp.at)
  const published = [...decided.approved, ...decided.edited]
  const replaced = await linesReplacedBy(tx, source, published)
  const done = await publishRows(tx, stamp, publicationOf(source, decided, request, lines, replaced))
  await endReplaced(tx, stamp, source, replaced)
  const pairs = published.map((row) => ({
    row,
    before: replaced.get(lineKey(row))?.line.current ?? lines.get(row.lineId)?.current,
  }))
  const takenOver = [...replaced.values()].map(({ line }) => line)
  const outcome = { at: stamp.at, ...done, published: pairs, takenOver }
  const around = linesAround(new Map(known.map((line) => [lineKey(line), line])), outcome)
  await closeOvertakenReviews(tx, source, stamp.at)
  // What came back with them and was never held is served once the same list is read again, and what it announces of
  // lines that had no price is kept.
  const isBack = held.some(({ lineId }) => lines.get(lineId)?.removedAt)
  if (isBack || published.some(({ lineId }) => !lines.get(lineId)?.current)) await readAgain(tx, source)
  const changes = [...providerChanges(outcome), ...changesOfRows(outcome, around)]
  return { changes, rows: published.length }
}
