import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { ReplacedLines } from '../authority/authority-rules.ts'
import type { GoneResource } from '../plan/schema.ts'
import { publishedState, rejectedState } from '../publish/line-state-rules.ts'
import type { Publication } from '../publish/publish-rows.ts'
import { contentHash, lineKey, moneyOf } from '../row-rules.ts'
import { isListed, type KnownLine } from '../schema.ts'
import type { OpenReview } from '../store/review-store.ts'
import type { StoredRow } from '../store/row-store.ts'
import type { Edit, ReviewDecision } from './schema.ts'

/** The held rows of an item, by what a decision does with them. */
export type DecidedRows = {
  approved: StoredRow[]
  rejected: StoredRow[]
  /** Rejected rows as a person rewrote them: published in their place. */
  edited: StoredRow[]
}

/** @throws AppError invalid_body when an edit names a row that the item does not hold, or comes with another decision. */
export function decidedRows(held: StoredRow[], request: ReviewDecision, at: Instant): DecidedRows {
  const { decision, edits = [] } = request
  const prices = new Map(edits.map(({ contentHash, price }) => [contentHash, price]))
  if (edits.length > 0 && decision !== 'edit')
    throw new AppError('invalid_body', 'Prices are given with the decision “edit” alone.', { field: 'edits' })
  refuseUnknownRows(held, edits)
  const isApproved = ({ contentHash }: StoredRow) =>
    decision === 'approve' || (decision === 'edit' && !prices.has(contentHash))
  const rejected = held.filter((row) => !isApproved(row))
  const edited = rejected.flatMap((row) => {
    const price = prices.get(row.contentHash)
    return price === undefined ? [] : [rewritten(row, price, at)]
  })
  return { approved: held.filter(isApproved), rejected, edited }
}

function refuseUnknownRows(held: StoredRow[], edits: Edit[]): void {
  for (const edit of edits)
    if (!held.some(({ contentHash }) => contentHash === edit.contentHash))
      throw new AppError('invalid_body', `No row ${edit.contentHash} waits in this item.`, { field: 'edits' })
}

function rewritten(row: StoredRow, price: string, at: Instant): StoredRow {
  const hash = contentHash(row.source, row, { ...moneyOf(row), price }, at)
  return { ...row, price, recordedAt: at, contentHash: hash }
}

/** Returns what a decision publishes and rejects. `lines` are the lines of the rows before it, by id. */
export function publicationOf(
  source: string,
  { approved, rejected, edited }: DecidedRows,
  { actor, reason }: ReviewDecision,
  lines: Map<string, KnownLine>,
  replaced: ReplacedLines = new Map(),
): Publication {
  const published = [...approved, ...edited].map((row) => ({
    ...row,
    continues: replaced.get(lineKey(row))?.source,
  }))
  const decidedPrices = new Map(rejected.map((row) => [row.lineId, row.price]))
  const unpublished = rejected.filter((row) => !edited.some(({ lineId }) => lineId === row.lineId))
  return {
    source,
    recorded: edited,
    rows: [
      ...rejected.map((row) => ({ row, status: 'rejected' as const, reason, actor })),
      ...published.map((row) => ({ row, status: 'approved' as const, reason, actor })),
    ],
    listed: published,
    relisted: published.filter(({ lineId }) => lines.get(lineId)?.removedAt),
    lines: [
      ...published.map((row) => publishedState(row, decidedPrices.get(row.lineId))),
      ...unpublished.map((row) => rejectedState(lines.get(row.lineId)!, row.price)),
    ],
  }
}

type AbsentLine = { resource: string; dimension: string; pricingTier: string; isMissing: boolean }

/** Whether the approval of an item about missing or unreadable prices ends a line that is listed. */
export function isEndedBy({ kind, detail }: Pick<OpenReview, 'kind' | 'detail'>, line: AbsentLine): boolean {
  const text = `${line.dimension} ${line.pricingTier}`
  const { texts = [] } = detail
  if (kind === 'line_removal') return line.isMissing && texts.includes(text)
  if (kind === 'unreadable') return texts.some((shown) => shown.startsWith(`${line.resource} ${text} = `))
  return kind === 'removal' && line.isMissing
}

/** Returns lines that end as resources that lose all their prices, and as lines of resources that keep some. */
export function resourcesWithout(known: KnownLine[], ended: KnownLine[]) {
  const listed = groupBy(known.filter(isListed), resourceKey)
  const removed = [...groupBy(ended, resourceKey)]
    .filter(([key, lines]) => lines.length === listed.get(key)?.length)
    .map(([, lines]): GoneResource => ({ provider: lines[0]!.provider, resource: lines[0]!.resource, lines }))
  const gone = new Set(removed.map(resourceKey))
  return { removed, retired: ended.filter((line) => !gone.has(resourceKey(line))) }
}
