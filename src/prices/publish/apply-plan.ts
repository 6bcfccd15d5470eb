import { followRenames } from '../../aliases/follow-renames.ts'
import type { Stamp } from '../../catalog/clock-store.ts'
import { activateProviders, creditPriced, retireEmptyProviders, seeProviders } from '../../catalog/provider-store.ts'
import { listResources, recordRenames, unlistResources } from '../../catalog/resource-store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Happened } from '../events/event-rules.ts'
import { publicationBody } from '../history/history-rules.ts'
import type { IngestInput } from '../ingest/ingest-prices.ts'
import type { Proposal } from '../plan/difference-rules.ts'
import type { Plan } from '../plan/plan-rules.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import {
  createLines,
  insertRows,
  insertStatuses,
  type LineStanding,
  openPublications,
  reopenRemoved,
  updateLines,
} from '../store/publication-store.ts'
import { askAbout, closeOvertakenReviews, type NewReview, openReviews } from '../store/review-store.ts'
import { contentHash, type NewRow, resourceKey } from '../store/row-rules.ts'
import { applyAbsences } from './apply-absences.ts'

type Recorded = NewRow & { lineId: string }

/** Carries a plan out in one publication and answers what happened, for its events. */
export async function applyPlan(tx: Tx, stamp: Stamp, input: IngestInput, plan: Plan): Promise<Happened> {
  const { source } = input.source
  const { at } = stamp
  await seeProviders(tx, source, input.parsed.providers, at)
  const published = plan.publish
  const held = plan.hold.map((one) => one.proposal)
  const again = plan.settled.filter((line) => line.removedAt)
  const changedAgain = published.flatMap(({ known }) => (known?.removedAt ? [known] : []))
  const listed = distinct([
    ...published.map(({ line, money }) => ({ ...money, provider: line.provider, resource: line.resource })),
    ...plan.released,
    ...again,
  ])
  const added = await listResources(tx, source, listed, at)
  const released = plan.released.map((line) => line.provider)
  const providers = [...new Set([...listed.map((one) => one.provider), ...released])]
  const activated = await activateProviders(tx, providers, at, { older: input.quiet })
  const involved = [
    ...providers,
    ...plan.removed.map((one) => one.provider),
    ...plan.retired.map((one) => one.provider),
  ]
  const inCredits = await creditPriced(tx, [...new Set(involved)])
  const fresh = [...published, ...held].filter((one) => !one.known)
  const ids = await createLines(
    tx,
    source,
    fresh.map((one) => one.line),
  )
  const record = (one: Proposal): Recorded => ({
    ...newRow(input, one, at),
    lineId: one.known?.lineId ?? ids.get(one.key)!,
  })
  const rows = published.map(record)
  const heldRows = held.map(record)
  await insertRows(tx, [...rows, ...heldRows])
  const status = (hash: string, is: string, reason?: string) => ({
    contentHash: hash,
    seq: stamp.nextSeq(),
    status: is,
    reason,
  })
  await insertStatuses(tx, at, [
    ...plan.superseded.map((line) => status(line.held!.contentHash, 'rejected', 'superseded')),
    ...rows.map((row) => status(row.contentHash, 'auto_approved')),
    ...plan.released.map((line) => status(line.held!.contentHash, 'auto_approved', 'stood for a day')),
    ...heldRows.map((row, i) => status(row.contentHash, 'pending', plan.hold[i]!.reasons.join(', '))),
  ])
  const releasedRows = plan.released.map(releasedRow)
  const openings = [...rows, ...releasedRows].map((row) => ({
    contentHash: row.contentHash,
    provider: row.provider,
    source,
    resource: row.resource,
    creditPriced: inCredits.has(row.provider),
    body: publicationBody({ ...row, source, approvalStatus: 'auto_approved' }),
  }))
  await openPublications(tx, at, openings)
  const reopened = await reopenRemoved(
    tx,
    at,
    [...again, ...changedAgain].map((line) => line.lineId),
  )
  await insertStatuses(
    tx,
    at,
    reopened.map((row) => status(row.contentHash, row.status, 'listed again')),
  )
  await recordRenames(tx, source, plan.renamed, listed, at)
  const old = plan.renamed.map(({ provider, from }) => ({ provider, resource: from }))
  await unlistResources(tx, source, [...plan.removed, ...old], at)
  const lastSeen = await applyAbsences(tx, stamp, plan)
  await retireEmptyProviders(tx, [...new Set(plan.removed.map((one) => one.provider))], at)
  await updateLines(tx, [...standings(plan, rows, heldRows), ...lastSeen])
  await followRenames(tx, stamp, plan.renamed)
  await openReviews(tx, source, at, reviewsOf(plan, heldRows))
  if (plan.superseded.length + plan.released.length > 0) await closeOvertakenReviews(tx, source, at)
  await askAbout(tx, source, at, plan.questions)
  return { at, source, plan, rows, releasedRows, reopened, again, added, activated, inCredits }
}

function newRow(input: IngestInput, { line, money, locator }: Proposal, at: Stamp['at']): NewRow {
  const { snapshotHash, parserVersion, source } = input
  const hash = contentHash(source.source, line, money, at)
  return { ...line, ...money, locator, snapshotHash, parserVersion, recordedAt: at, contentHash: hash }
}

/** A held row as it is published now; what it was recorded with stays. */
const releasedRow = (line: KnownLine) => ({ ...line, ...line.current, ...line.held!, lineId: line.lineId })

function distinct<T extends { provider: string; resource: string; canonicalResource?: string; category?: string }>(
  seen: T[],
) {
  const all = seen.map(({ provider, resource, canonicalResource, category }) => ({
    provider,
    resource,
    canonicalResource,
    category,
  }))
  return [...new Map(all.map((one) => [resourceKey(one), one])).values()]
}

function standings(plan: Plan, rows: Recorded[], heldRows: Recorded[]): LineStanding[] {
  const before = new Map(plan.hold.map(({ proposal }) => [proposal.known?.lineId, proposal.known]))
  return [
    ...rows.map((row) => ({ lineId: row.lineId, currentHash: row.contentHash, missingCount: 0 })),
    ...heldRows.map((row) => ({
      lineId: row.lineId,
      currentHash: before.get(row.lineId)?.current?.contentHash,
      heldHash: row.contentHash,
      missingCount: 0,
      // A line that had been removed is listed again when its new price is approved.
      removedAt: before.get(row.lineId)?.removedAt,
    })),
    ...plan.settled.map((line) => ({
      lineId: line.lineId,
      currentHash: line.current?.contentHash,
      decidedPrice: line.decidedPrice,
      missingCount: 0,
    })),
    ...plan.released.map((line) => ({ lineId: line.lineId, currentHash: line.held!.contentHash, missingCount: 0 })),
    ...plan.waiting
      .filter((line) => line.missingSince)
      .map(({ lineId, current, held, decidedPrice }) => ({
        lineId,
        currentHash: current?.contentHash,
        heldHash: held?.contentHash,
        decidedPrice,
        missingCount: 0,
      })),
  ]
}

/** One item per resource, and one for a whole provider that was re-priced at once. */
function reviewsOf(plan: Plan, heldRows: Recorded[]): NewReview[] {
  const items = new Map<string, NewReview>()
  plan.hold.forEach(({ proposal, reasons, batch }, i) => {
    const key = batch ? proposal.line.provider : resourceKey(proposal.line)
    const kind = batch ? 'mass_change' : 'price'
    const item = items.get(key) ?? { provider: proposal.line.provider, kind, reasons: [], rows: [] }
    item.reasons = [...new Set([...item.reasons, ...reasons])]
    item.rows.push({ contentHash: heldRows[i]!.contentHash, reasons })
    items.set(key, item)
  })
  return [...items.values()]
}
