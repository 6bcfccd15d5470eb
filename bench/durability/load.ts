import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { addDeliveries, addWebhook } from '../../test/support/webhooks/deliveries.ts'

const WEBHOOKS = 10
const EVERY_MS = 250
const EACH = 5

/** Deliveries that the database has confirmed, and when. */
export type ConfirmedDelivery = { id: string; at: number }

/** Makes 20 deliveries a second until it is stopped, and remembers each that was confirmed. */
export async function startLoad(sql: Sql, url: string) {
  const now = () => instantOf(Date.now()) as Instant
  const hooks = await Promise.all(Array.from({ length: WEBHOOKS }, () => addWebhook(sql, { url, at: now() })))
  const confirmed: ConfirmedDelivery[] = []
  let over = false
  const running = (async () => {
    for (let n = 0; !over; n++) {
      const ids = await addDeliveries(sql, hooks[n % WEBHOOKS]!, { count: EACH, at: now() }).catch(() => [])
      const at = Date.now()
      for (const id of ids) confirmed.push({ id, at })
      await sleep(EVERY_MS)
    }
  })()
  return {
    confirmed,
    hook: hooks[0]!,
    stop: () => {
      over = true
      return running
    },
  }
}
