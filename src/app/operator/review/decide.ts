import { audited } from '../../../audit/audited.ts'
import type { AuditAction } from '../../../audit/schema.ts'
import { AppError, type ErrorCode } from '../../../lib/errors.ts'
import { SHARES_PRICES, sharesPrices } from '../../../review/batch-rules.ts'
import { type ClosedItem, closedItem } from '../../../review/closed-item.ts'
import { decideItem, type ItemDecision } from '../../../review/decide-item.ts'
import { findItems } from '../../../review/find-in-queue.ts'
import type { AppTools } from '../../tools.ts'

const ACTION: Record<ItemDecision['decision'], AuditAction> = {
  approve: 'review_approved',
  reject: 'review_rejected',
  edit: 'review_edited',
}

type Events = Record<string, number>

export type DecisionResult = {
  id: string
  events: Events
  revision?: string
  problem?: string
  code?: ErrorCode
  closed?: ClosedItem
}

/** Revisions are given of all items or of none: one that was forgotten would be decided unseen. */
export function shownRevisions(ids: string[], revisions: Record<string, string> | undefined): Map<string, string> {
  const shown = new Map(Object.entries(revisions ?? {}))
  const forgotten = revisions && ids.find((id) => !shown.has(id))
  if (forgotten === undefined) return shown
  throw new AppError('invalid_body', `The revision of ${forgotten} is missing: name that of every item, or none.`, {
    field: 'revisions',
  })
}

/**
 * An item that was decided meanwhile, or that changed, is reported and does not stop the others. `rows` are the prices
 * that items before it decide; its own are added.
 */
export async function decideOne(
  tools: AppTools,
  id: string,
  decision: ItemDecision,
  rows: Set<string>,
): Promise<DecisionResult> {
  const [item] = await findItems(tools.sql, { id }, 1)
  if (!item) return overtaken(tools, id)
  if (sharesPrices(item, rows)) return { id, events: {}, problem: SHARES_PRICES }
  const { decision: what, reason } = decision
  const detail = { provider: item.provider, question: item.question, reason }
  const { sql } = audited(tools.sql, ACTION[what], { subject: id, detail })
  try {
    const { isolation, pagesUrl } = tools
    // What is previewed is what was read: the answer names it, and a decision can be about just that.
    const shown = decision.revision ?? (decision.dryRun ? item.revision : undefined)
    const { events } = await decideItem({ sql, isolation, pagesUrl }, item, { ...decision, revision: shown })
    for (const row of item.rows) rows.add(row)
    return { id, events, revision: shown }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return overtaken(tools, id)
    return { id, events: {}, problem: error.message, code: error.code }
  }
}

async function overtaken({ sql }: AppTools, id: string): Promise<DecisionResult> {
  const closed = await closedItem(sql, id)
  return { id, events: {}, problem: 'It does not wait for a decision any more.', code: 'not_found', closed }
}

export function sumOf(all: Events[]): Events {
  const sum: Events = {}
  for (const events of all) for (const [type, count] of Object.entries(events)) sum[type] = (sum[type] ?? 0) + count
  return sum
}
