import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import type { Messenger } from './messenger.ts'
import { dropNotices, nextNotices } from './notice-store.ts'

/** Few at a time: telling workflows must not hold up the attempts of a round. */
const BATCH = 16

/** Passes notices on to the delivery workflows they are for: of one webhook, or all older than `before`. */
export async function passOnNotices(
  sql: Sql,
  messenger: Pick<Messenger, 'changed'>,
  wanted: { webhookId?: string; before?: Instant; heartbeat: () => void },
): Promise<number> {
  const { webhookId, before, heartbeat } = wanted
  for (let passed = 0; ; ) {
    const notices = await nextNotices(sql, { webhookId, before, limit: BATCH })
    if (notices.length === 0) return passed
    await Promise.all(notices.map((notice) => messenger.changed(notice.deliveryId, notice.what)))
    await dropNotices(sql, notices)
    passed += notices.length
    heartbeat()
  }
}
