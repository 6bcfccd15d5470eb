import type { Stamp } from '../../catalog/clock-store.ts'
import { activateProviders, creditPriced } from '../../catalog/provider-store.ts'
import { listResources } from '../../catalog/resource-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { nothingHappened } from '../events/event-rules.ts'
import { publicationBody } from '../history/history-rules.ts'
import type { Proposal } from '../plan/difference-rules.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import {
  insertRows,
  insertStatuses,
  openPublications,
  reopenRemoved,
  type StatusChange,
  updateLines,
} from '../store/publication-store.ts'
import type { OpenReview } from '../store/review-store.ts'
import { contentHash, lineKey, moneyOf, resourceKey } from '../store/row-rules.ts'
import { type StoredRow, storedRows } from '../store/row-store.ts'
import type { Decided, ReviewDecision } from './decide-review.ts'

/** A row held for review and the price a person gives it instead. */
export type Edit = { contentHash: string; price: string }

/** Publishes or rejects the rows of an item that still wait; what was overtaken in the meantime stays as it is. */
export async function decideRows(
  tx: Tx,
  stamp: Stamp,
  review: OpenReview,
  { decision, actor, reason, edits = [] }: ReviewDecision,
): Promise<Decided> {
  const { source } = review
  const all = await storedRows(tx, review.rows)
  const known = await linesOfResources(tx, source, all)
  const byId = new Map(known.map((line) => [line.lineId, line]))
  const waiting = all.filter((row) => byId.get(row.lineId)?.held?.contentHash === row.contentHash)
  const edited = new Map(edits.map((edit) => [edit.contentHash, edit.price]))
  for (const hash of edited.keys())
    if (!waiting.some((row) => row.contentHash === hash))
      throw new AppError('invalid_body', `No row ${hash} waits in this item.`, { field: 'edits' })
  const isPublished = (row: StoredRow) =>
    decision === 'approve' || (decision === 'edit' && !edited.has(row.contentHash))
  const approved = waiting.filter(isPublished)
  const refused = waiting.filter((row) => !isPublished(row))
  const rewritten = refused.flatMap((row) => {
    const price = edited.get(row.contentHash)
    if (price === undefined) return []
    const money = { ...moneyOf(row), price }
    const hash = contentHash(source, row, money, stamp.at)
    return [{ ...row, price, recordedAt: stamp.at, contentHash: hash, locator: row.locator }]
  })
  await insertRows(tx, rewritten)
  const rows = [...approved, ...rewritten]
  const status = (row: StoredRow, is: string): StatusChange => ({
    contentHash: row.contentHash,
    seq: stamp.nextSeq(),
    status: is,
    reason,
    actor,
  })
  await insertStatuses(tx, stamp.at, [
    ...refused.map((row) => status(row, 'rejected')),
    ...rows.map((row) => status(row, 'approved')),
  ])
  const providers = [...new Set(rows.map((row) => row.provider))]
  const inCredits = await creditPriced(tx, providers)
  const opened = rows.map((row) => ({
    ...row,
    creditPriced: inCredits.has(row.provider),
    body: publicationBody({ ...row, approvalStatus: 'approved' }),
  }))
  await openPublications(tx, stamp.at, opened)
  const again = rows.filter((row) => byId.get(row.lineId)?.removedAt).map((row) => row.lineId)
  const reopened = await reopenRemoved(tx, stamp.at, again)
  await insertStatuses(
    tx,
    stamp.at,
    reopened.map((row) => ({ ...row, seq: stamp.nextSeq(), reason: 'listed again' })),
  )
  const listed = [...new Map(rows.map((row) => [resourceKey(row), row])).values()]
  const added = await listResources(
    tx,
    source,
    listed.map(({ provider, resource, canonicalResource, category }) => ({
      provider,
      resource,
      canonicalResource,
      category,
    })),
    stamp.at,
  )
  const activated = await activateProviders(tx, providers, stamp.at)
  const current = new Map(rows.map((row) => [row.lineId, row.contentHash]))
  const decidedPrices = new Map(refused.map((row) => [row.lineId, row.price]))
  await updateLines(
    tx,
    waiting.map(({ lineId }) => ({
      lineId,
      currentHash: current.get(lineId) ?? byId.get(lineId)?.current?.contentHash,
      decidedPrice: decidedPrices.get(lineId),
      missingCount: 0,
      removedAt: current.has(lineId) ? undefined : byId.get(lineId)?.removedAt,
    })),
  )
  const proposals = rows.map((row): Proposal => {
    const line = byId.get(row.lineId)!
    return {
      key: lineKey(row),
      line: row,
      known: line,
      money: row,
      locator: row.locator ?? '',
      kind: !line.current ? 'new' : line.current.price === row.price ? 'revised' : 'changed',
    }
  })
  const happened = nothingHappened(stamp.at, source)
  Object.assign(happened, { rows, added, activated, inCredits })
  happened.plan.publish = proposals
  return { happened, known }
}
