import { DAY, HOUR, instantOf } from '../../../lib/instant.ts'
import { reasonText } from '../../../prices/review/reason-text-rules.ts'
import { findItems } from '../../../review/find-items.ts'
import type { QueueItem } from '../../../review/schema.ts'
import { summarizeQueue } from '../../../review/summarize-queue.ts'
import { listReviewItems } from '../../contracts/operator-review.ts'
import { route } from '../../route.ts'

/** Items listed at once: more than anybody decides before looking again. */
const MOST_ITEMS = 100
const AGE_MS = { '1h': HOUR, '12h': 12 * HOUR, '1d': DAY, '3d': 3 * DAY, '7d': 7 * DAY }

/** GET /v1/operator/review: what waits for a person, the longest waiting first. */
export const listReviewItemsRoute = route(listReviewItems, async ({ tools: { sql }, query }) => {
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
})

/** An item without the hashes of its rows, with its reasons in words. */
export const shownItem = ({ rows, reasons, ...item }: QueueItem) => ({
  ...item,
  rows: rows.length,
  reasons: worthSaying(reasons).map((code) => ({ code, ...reasonText(code) })),
})

/** That some of the prices only wait for the others says nothing about the item. */
const worthSaying = (reasons: string[]) =>
  reasons.length > 1 ? reasons.filter((code) => code !== 'with_its_set') : reasons
