import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { dropNotices, nextNotices } from '../attempts/notice-store.ts'
import type { DeliveryWorkflows } from './delivery-workflows.ts'

/** Few at a time: signalling workflows must not hold up the attempts of a round. */
const BATCH = 16

/**
 * Passes notices on to the delivery workflows they are for: of one webhook, or all older than `before`. Returns how
 * many. What there is no time for is left for the next check.
 * @param wanted.until by the monotonic clock
 */
export async function passOnNotices(
  sql: Sql,
  workflows: Pick<DeliveryWorkflows, 'changed'>,
  wanted: { webhookId?: string; before?: Instant; until?: number; heartbeat: () => void },
): Promise<number> {
  const { webhookId, before, heartbeat, until = Number.POSITIVE_INFINITY } = wanted
  for (let passed = 0; ; ) {
    const notices = await nextNotices(sql, { webhookId, before, limit: BATCH })
    if (notices.length === 0 || performance.now() > until) return passed
    await Promise.all(notices.map((notice) => workflows.changed(notice, notice.what)))
    await dropNotices(sql, notices)
    passed += notices.length
    heartbeat()
  }
}
