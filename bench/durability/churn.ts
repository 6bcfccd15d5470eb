import { drawTokens } from '../../src/accounts/limits/rate-limit-store.ts'
import { type Instant, instantOf } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { recordSuccess } from '../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure } from '../../src/webhooks/attempts/record-failure.ts'
import { claimDeliveries, loadDue } from '../../src/webhooks/rounds/round-store.ts'
import { addDeliveries, addWebhook } from '../../test/support/webhooks/deliveries.ts'

const WEBHOOKS = 20
const CLAIMED_AT_ONCE = 64
const FAIL_EVERY = 10
const RESPONSE = 'x'.repeat(300)
const DAYS = 30

export type Hook = { workspaceId: string; id: string }
export const now = (): Instant => instantOf(Date.now())

export const addHooks = (sql: Sql): Promise<Hook[]> =>
  Promise.all(Array.from({ length: WEBHOOKS }, () => addWebhook(sql, { url: 'https://example.com', at: now() })))

/** A log of this many finished deliveries over the last 30 days, with an attempt each. `sql` has one connection without a time limit. */
export async function fillLog(sql: Sql, hooks: Hook[], count: number): Promise<void> {
  const [first] = hooks
  await sql.begin(async (tx) => {
    await tx`
      insert into event (seq, event_id, type, provider, eligible_at, body, matched_at)
      select n, 'evt_' || gen_random_uuid(), 'price.changed', 'openai', at, repeat('x', 400), at
      from generate_series(1, ${count}) as n,
           lateral (select now() - make_interval(secs => ${DAYS * 86_400}::float8 * (1 - n::float8 / ${count}))) as t (at)`
    await tx`
      insert into delivery (webhook_id, workspace_id, event_id, status, attempts, started_cycle, round_id, created_at,
                            last_attempt_at, finished_at)
      select (${hooks.map(({ id }) => id)}::uuid[])[1 + seq % ${WEBHOOKS}], ${first!.workspaceId}, event_id, 'succeeded',
             1, 1, 'old', eligible_at, eligible_at, eligible_at
      from event order by seq`
    await tx`
      insert into attempt (delivery_id, cycle, number, run, started_at, finished_at, outcome, status, duration_ms, response)
      select delivery_id, 1, 1, 1, created_at, created_at, 'succeeded', 200, 20, ${RESPONSE} from delivery`
    await tx`update publication_clock set last_seq = ${count}`
  })
  await sql`vacuum analyze`
}

/** Makes deliveries and delivers them with the statements of the product; every tenth attempt fails. Returns milliseconds. */
export async function deliverAll(sql: Sql, hooks: Hook[], each: number): Promise<{ load: number[]; took: number }> {
  for (const hook of hooks) await addDeliveries(sql, hook, { count: each, at: now() })
  const began = performance.now()
  const load: number[] = []
  for (let n = 0; ; ) {
    const round = { roundId: `round-${began}`, now: now() }
    const from = performance.now()
    const due = await loadDue(sql, round)
    load.push(performance.now() - from)
    if (due.length === 0) return { load, took: performance.now() - began }
    for (let start = 0; start < due.length; start += CLAIMED_AT_ONCE) {
      const ids = due.slice(start, start + CLAIMED_AT_ONCE).map(({ deliveryId }) => deliveryId)
      const claimed = await claimDeliveries(sql, round, ids)
      await Promise.all(claimed.map(({ deliveryId, grant }) => attempt(sql, { deliveryId, ...grant }, n++)))
    }
  }
}

async function attempt(sql: Sql, key: Parameters<typeof openAttempt>[1], n: number): Promise<void> {
  await openAttempt(sql, key, now())
  const outcome = { durationMs: 20, response: RESPONSE }
  if (n % FAIL_EVERY > 0) {
    await recordSuccess(sql, key, { ...outcome, kind: 'succeeded', status: 200, text: '' }, now())
    return
  }
  // Tests never count toward pausing, and these must not either.
  const failure = { ...outcome, status: 503, text: 'HTTP 503', url: 'https://example.com/other' }
  await recordFailure(sql, key, { ...failure, kind: 'failed' }, now())
}

/** What the requests of 50 keys do to the token buckets. */
export async function drawMany(sql: Sql, requests: number): Promise<void> {
  const owner = (n: number) => String(n % 50)
  const AT_ONCE = 8
  for (let n = 0; n < requests; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, more) =>
        drawTokens(sql, [
          { kind: 'caller', owner: owner(n + more) },
          { kind: 'workspace', owner: owner(n + more) },
        ]),
      ),
    )
}
