import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { dropNotices, nextNotices } from '../attempts/notice-store.ts'
import type { Messenger } from './delivery-workflows.ts'

/** Few at a time: telling workflows must not hold up the attempts of a round. */
const BATCH = 16

/**
 * Passes notices on to the delivery workflows they are for: of one webhook, or all older than `before`. Answers how
 * many; what there is no time for is left.
 * @param wanted.until by the monotonic clock
 */
export async function passOnNotices(
  sql: Sql,
  messenger: Pick<Messenger, 'changed'>,
  wanted: { webhookId?: string; before?: Instant; until?: number; heartbeat: () => void },
): Promise<number> {
  const { webhookId, before, heartbeat, until = Number.POSITIVE_INFINITY } = wanted
  for (let passed = 0; ; ) {
    const notices = await nextNotices(sql, { webhookId, before, limit: BATCH })
    if (notices.length === 0 || performance.now() > until) return passed
    await Promise.all(notices.map((notice) => messenger.changed(notice.deliveryId, notice.what)))
    await dropNotices(sql, notices)
    passed += notices.length
    heartbeat()
  }
}
