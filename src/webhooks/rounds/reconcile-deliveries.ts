import { type Instant, plus } from '../../lib/instant.ts'
import { DELIVERY_TIMEOUT_MS } from '../../lib/safe-fetch/post.ts'
import type { Sql } from '../../lib/sql.ts'
import { recordUnknown } from '../attempts/record-failure.ts'
import type { DeliveryWorkflows } from './delivery-workflows.ts'
import { passOnNotices } from './pass-on-notices.ts'
import { abandonedAttempts, noteNamespace, releaseClaims, takeWaiting } from './reconcile-store.ts'

/** A claim this old belongs to no one: an attempt takes 5 seconds, and a crashed one is taken over within 10. */
const CLAIM_LOST_AFTER_MS = 60_000
/** A notice this old was not passed on by the webhook's workflow. */
const NOTICE_LOST_AFTER_MS = 60_000
const BATCH = 100
/** What giving back workflows and passing on notices may take of a check: the round must not wait for them. */
const BUDGET_MS = 15_000

export type Repairs = { storeLost: boolean; unknown: number; released: number; restarted: number; notices: number }

/**
 * Makes Temporal agree with Postgres again: attempts no one closed are recorded as unknown, claims no one holds are
 * given back, deliveries that wait for a retry get the workflow they lost, and lost notices are passed on.
 */
export async function reconcileDeliveries(task: {
  sql: Sql
  workflows: DeliveryWorkflows
  now: Instant
  /** Id of the Temporal namespace: another one than last time means that Temporal's store was lost. */
  namespaceId: string
  heartbeat: () => void
}): Promise<Repairs> {
  const { sql, workflows, now, heartbeat } = task
  const until = performance.now() + BUDGET_MS
  const storeLost = await noteNamespace(sql, task.namespaceId)
  const before = plus(now, -CLAIM_LOST_AFTER_MS)
  let unknown = 0
  for (;;) {
    const abandoned = await abandonedAttempts(sql, before, BATCH)
    for (const key of abandoned) await recordUnknown(sql, key, DELIVERY_TIMEOUT_MS)
    unknown += abandoned.length
    heartbeat()
    if (abandoned.length < BATCH) break
  }
  const released = await releaseClaims(sql, before)
  let restarted = 0
  while (performance.now() < until) {
    const waiting = await takeWaiting(sql, now, BATCH)
    await Promise.all(waiting.map((delivery) => workflows.start(delivery)))
    restarted += waiting.length
    heartbeat()
    if (waiting.length < BATCH) break
  }
  const notices = await passOnNotices(sql, workflows, { before: plus(now, -NOTICE_LOST_AFTER_MS), until, heartbeat })
  return { storeLost, unknown, released, restarted, notices }
}
