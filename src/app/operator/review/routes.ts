import { AppError } from '../../../lib/errors.ts'
import { DAY, HOUR, instantOf } from '../../../lib/instant.ts'
import { listAbsentPrices } from '../../../prices/review/list-absent-prices.ts'
import { reasonText } from '../../../prices/review/reason-text-rules.ts'
import { closedItem } from '../../../review/closed-item.ts'
import { findItems } from '../../../review/find-in-queue.ts'
import { heldDocument, itemContext, itemLines } from '../../../review/item-details.ts'
import { summarizeQueue } from '../../../review/summarize-queue.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'
import { type DecisionResult, decideOne, shownRevisions, sumOf } from './decide.ts'
import { shownBeside, shownDocument, shownItem, shownKnown, shownLine } from './shown.ts'

/** Items listed at once: more than anyone decides before looking again. */
const MOST_ITEMS = 100

const AGE_MS = { '1h': HOUR, '12h': 12 * HOUR, '1d': DAY, '3d': 3 * DAY, '7d': 7 * DAY }

/** Lines of an item that are shown; it names how many there are. */
const MOST_LINES = 1_000

export const reviewRoutes: AppRoute[] = [
  /** GET /v1/operator/review: what waits for a person, the longest waiting first. */
  route(contracts.listReviewItems, async ({ tools: { sql }, query }) => {
    const { olderThan, all: everything, ...rest } = query
    const filter = {
      ...rest,
      all: everything !== undefined,
      ...(olderThan && { openedBefore: instantOf(Date.now() - AGE_MS[olderThan]) }),
    }
    const items = await findItems(sql, filter, MOST_ITEMS)
    const matching = items.length < MOST_ITEMS ? items.length : (await summarizeQueue(sql, filter)).waiting
    const { reasons, ...all } = await summarizeQueue(sql, { all: filter.all })
    const named = reasons.map((counted) => ({ ...counted, name: reasonText(counted.value).name }))
    return { items: items.map(shownItem), matching, all: { ...all, reasons: named } }
  }),

  /** GET /v1/operator/review/{itemId}: what a decision needs, or how the item was decided meanwhile. */
  route(contracts.readReviewItem, async ({ tools: { sql, isolation }, params: { itemId } }) => {
    const [item] = await findItems(sql, { id: itemId }, 1)
    if (!item) {
      const closed = await closedItem(sql, itemId)
      if (!closed) throw new AppError('not_found', 'There is no such item in the review queue.')
      return { lines: [], known: [], beside: [], closed }
    }
    const lines = await itemLines(sql, { rows: item.rows.slice(0, MOST_LINES) })
    const held = await heldDocument({ sql, isolation }, item)
    return {
      item: shownItem(item),
      lines: lines.map(shownLine),
      known: (await listAbsentPrices(sql, itemId)).map(shownKnown),
      beside: (await itemContext({ sql, isolation }, lines)).map(shownBeside),
      ...(held && { document: shownDocument(held) }),
    }
  }),

  /** POST /v1/operator/review/decisions: decides items, each in a transaction of its own. */
  route(contracts.decideReviewItems, async ({ tools, actor, body }) => {
    const { ids, revisions, ...given } = body
    const shown = shownRevisions(ids, revisions)
    const decided: DecisionResult[] = []
    const rows = new Set<string>()
    for (const id of new Set(ids))
      decided.push(await decideOne(tools, id, { ...given, revision: shown.get(id), actor: actor.email }, rows))
    return { decided, events: sumOf(decided.map(({ events }) => events)) }
  }),
]
