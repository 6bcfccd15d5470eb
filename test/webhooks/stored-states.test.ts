import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { dropNotices, nextNotices, noticePending } from '../../src/webhooks/attempts/notice-store.ts'
import { recordSuccess } from '../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure, recordUnknown } from '../../src/webhooks/attempts/record-failure.ts'
import { explainDelivery, listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { readPayload } from '../../src/webhooks/log/read-payload.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import {
  abandonedAttempts,
  noteNamespace,
  releaseClaims,
  takeWaiting,
} from '../../src/webhooks/rounds/reconcile-store.ts'
import { claimDeliveries, loadDue, startedInRound, unclaim } from '../../src/webhooks/rounds/round-store.ts'
import { ALL, slicesOf } from '../../src/webhooks/rounds/shard-rules.ts'
import { testDatabase } from '../support/database.ts'
import { addCrowd, addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { addWorkspace, operator } from '../support/webhooks/subscriptions.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const URL = 'https://example.com/'
const FAILED = { kind: 'failed', text: 'HTTP 500 after 1 ms', status: 500, durationMs: 1 } as const
const SUCCEEDED = { kind: 'succeeded', text: 'HTTP 200 after 1 ms', status: 200, durationMs: 1 } as const
const ROUND = { roundId: 'round', now: AT }
const keyOf = (deliveryId: string, number = 1, cycle = 1) => ({ deliveryId, cycle, number, run: 1 })

describe('what PostgreSQL holds of webhooks and deliveries', () => {
  const db = testDatabase({ each: true })
  const newWebhook = () => addWebhook(db.sql, { url: URL, at: AT })
  async function withDeliveries(count = 1) {
    const webhook = await newWebhook()
    const ids = await addDeliveries(db.sql, webhook, { at: AT, count })
    return { webhook, ids, id: ids[0]! }
  }
  /** A delivery whose first attempt is under way. */
  async function opened() {
    const made = await withDeliveries()
    await claimDeliveries(db.sql, ROUND, made.ids)
    await openAttempt(db.sql, keyOf(made.id), AT)
    return made
  }
  const delivery = async (id: string) => {
    const [row] = await db.sql`
      select status, cycle, attempts, faults, claimed_at is not null as claimed, due_at as "dueAt", started_cycle as started
      from delivery where delivery_id = ${id}`
    return row!
  }
  const webhook = async (id: string) => {
    const [row] = await db.sql`
      select state, failures_in_row as failures, first_failure_at as "firstFailure", paused_at as "pausedAt"
      from webhook where webhook_id = ${id}`
    return { ...row! }
  }
  const streak = (id: string, failures: number, since: Instant) =>
    db.sql`update webhook set failures_in_row = ${failures}, first_failure_at = ${since} where webhook_id = ${id}`
  const at = (now: Instant) => ({ ...operator(db.sql), now })
  /** Many webhooks, for each of which these events have been due for an hour. */
  const addWaiting = (workspaceId: string, count: number, eventIds: string[]) =>
    addCrowd(db.sql, { workspaceId, eventIds, count, at: plus(AT, -HOUR) })
  const eventsOf = async (deliveryIds: string[]): Promise<string[]> => {
    const rows = await db.sql`select event_id as id from delivery where delivery_id = any(${deliveryIds})`
    return rows.map(({ id }) => id)
  }

  it('a success ends the streak: neither a failure nor the time of the first one is left', async () => {
    const made = await opened()
    await streak(made.webhook.id, 3, plus(AT, -DAY))
    await recordSuccess(db.sql, keyOf(made.id), SUCCEEDED, AT)
    expect(await webhook(made.webhook.id)).toEqual({ state: 'active', failures: 0, firstFailure: null, pausedAt: null })
  })

  it('a success that comes after its attempt was given up as unknown still counts', async () => {
    const made = await opened()
    await recordUnknown(db.sql, keyOf(made.id), 5_000)
    expect(await delivery(made.id)).toMatchObject({
      status: 'pending',
      attempts: 1,
      dueAt: plus(AT, 5_000 + 5 * MINUTE),
    })
    expect(await recordSuccess(db.sql, keyOf(made.id), SUCCEEDED, plus(AT, 9_000))).toBe(true)
    expect(await delivery(made.id)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('a success of the sixth attempt that comes after it was given up as unknown still counts', async () => {
    const lost = async (number: number) => {
      const made = await opened()
      await db.sql`update attempt set number = ${number} where delivery_id = ${made.id}`
      await recordUnknown(db.sql, keyOf(made.id, number), 5_000)
      return made.id
    }
    const [sixth, third] = [await lost(6), await lost(3)]
    await db.sql`update delivery set status = 'failed', attempts = 6, due_at = null where delivery_id = ${third}`
    expect(await delivery(sixth)).toMatchObject({ status: 'failed', attempts: 6 })
    expect(await recordSuccess(db.sql, keyOf(sixth, 6), SUCCEEDED, plus(AT, 9_000))).toBe(true)
    expect(await delivery(sixth)).toMatchObject({ status: 'succeeded', attempts: 6 })
    expect(await recordSuccess(db.sql, keyOf(third, 3), SUCCEEDED, plus(AT, 9_000))).toBe(false)
    expect(await delivery(third)).toMatchObject({ status: 'failed', attempts: 6 })
  })

  it('a late success leaves what was not sent while paused as it is', async () => {
    const { id, webhook: hook } = await opened()
    await recordUnknown(db.sql, keyOf(id), 5_000)
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect(await failPausedDue(db.sql, plus(AT, DAY))).toBe(1)
    expect(await recordSuccess(db.sql, keyOf(id), SUCCEEDED, plus(AT, DAY))).toBe(false)
    expect(await delivery(id)).toMatchObject({ status: 'failed', attempts: 1 })
  })

  it('an attempt is closed once: what is recorded of it later counts for nothing', async () => {
    const made = await opened()
    for (const seconds of [1, 2]) await recordFailure(db.sql, keyOf(made.id), FAILED, plus(AT, seconds * 1_000))
    expect(await delivery(made.id)).toMatchObject({ attempts: 1, dueAt: plus(AT, 1_000 + 5 * MINUTE) })
    expect((await webhook(made.webhook.id)).failures).toBe(1)
  })

  it('an attempt that ends after a resend changes nothing of the new cycle', async () => {
    const [failing, succeeding] = [await opened(), await opened()]
    for (const { webhook: hook, id } of [failing, succeeding]) await resendDelivery(at(AT), hook, id)
    await recordFailure(db.sql, keyOf(failing.id), FAILED, AT)
    await recordSuccess(db.sql, keyOf(succeeding.id), SUCCEEDED, AT)
    const fresh = { status: 'pending', cycle: 2, attempts: 0, claimed: false, dueAt: AT }
    for (const { id } of [failing, succeeding]) expect(await delivery(id)).toMatchObject(fresh)
  })

  it('an attempt is made only when it is its turn', async () => {
    const { id } = await withDeliveries()
    for (const key of [keyOf(id, 2), keyOf(id, 1, 2), { ...keyOf(id), run: 2 }])
      expect(await openAttempt(db.sql, key, AT)).toEqual({ refusal: 'stale' })
    expect((await openAttempt(db.sql, keyOf(id), AT)).request).toBeDefined()
    expect(await openAttempt(db.sql, keyOf(id), AT)).toEqual({ refusal: 'dangling' })
  })

  it('the fifth failure in a row pauses at exactly 24 hours, and leaves a notice for what waits', async () => {
    const made = await opened()
    const waiting = (await addDeliveries(db.sql, made.webhook, { at: plus(AT, HOUR) }))[0]!
    await db.sql`update delivery set started_cycle = 1 where delivery_id = ${waiting}`
    await streak(made.webhook.id, 4, plus(AT, -DAY))
    expect(await recordFailure(db.sql, keyOf(made.id), FAILED, AT)).toEqual({ pausedWebhook: made.webhook.id })
    expect(await webhook(made.webhook.id)).toMatchObject({ state: 'paused', failures: 5, pausedAt: AT })
    const notices = await nextNotices(db.sql, { webhookId: made.webhook.id, limit: 9 })
    expect(notices.map(({ deliveryId }) => deliveryId).sort()).toEqual([made.id, waiting].sort())
  })

  it('the fourth failure in a row does not pause, nor the fifth a millisecond before 24 hours are over', async () => {
    for (const [before, since] of [
      [3, plus(AT, -3 * DAY)],
      [4, plus(AT, 1 - DAY)],
    ] as const) {
      const made = await opened()
      await streak(made.webhook.id, before, since)
      expect(await recordFailure(db.sql, keyOf(made.id), FAILED, AT)).toEqual({})
      expect(await webhook(made.webhook.id)).toMatchObject({ state: 'active', failures: before + 1 })
    }
  })

  it('a failure on a paused webhook pauses it no second time', async () => {
    const made = await opened()
    await streak(made.webhook.id, 5, plus(AT, -2 * DAY))
    await db.sql`update webhook set state = 'paused', paused_at = ${plus(AT, -HOUR)} where webhook_id = ${made.webhook.id}`
    expect(await recordFailure(db.sql, keyOf(made.id), FAILED, AT)).toEqual({})
    expect(await webhook(made.webhook.id)).toMatchObject({ state: 'paused', pausedAt: plus(AT, -HOUR) })
  })

  it('a notice that is newer than the one passed on stays', async () => {
    const made = await opened()
    await noticePending(db.sql, made.webhook.id, 'the webhook was paused', AT)
    const passed = await nextNotices(db.sql, { limit: 9 })
    await noticePending(db.sql, made.webhook.id, 'the webhook was resumed', plus(AT, 1))
    await dropNotices(db.sql, passed)
    expect(await nextNotices(db.sql, { limit: 9 })).toMatchObject([{ what: 'the webhook was resumed' }])
    await dropNotices(db.sql, await nextNotices(db.sql, { limit: 9 }))
    expect(await nextNotices(db.sql, { limit: 9 })).toEqual([])
  })

  it('what fails because its webhook is paused leaves a notice of that moment, in the place of an older one', async () => {
    const { webhook: hook, id } = await withDeliveries()
    await db.sql`update delivery set started_cycle = 1, due_at = ${plus(AT, 5)} where delivery_id = ${id}`
    await noticePending(db.sql, hook.id, 'the webhook was paused', AT)
    await db.sql`update webhook set state = 'paused', paused_at = ${AT} where webhook_id = ${hook.id}`
    expect(await failPausedDue(db.sql, plus(AT, 5))).toBe(1)
    expect(await nextNotices(db.sql, { limit: 9 })).toMatchObject([
      { deliveryId: id, what: 'due while the webhook is paused', createdAt: plus(AT, 5) },
    ])
  })

  it('a round loads the oldest due deliveries first, of active webhooks alone, and counts what it started', async () => {
    const { webhook: hook, ids } = await withDeliveries(3)
    for (const [n, id] of ids.entries())
      await db.sql`update delivery set due_at = ${plus(AT, (n - 3) * MINUTE)} where delivery_id = ${id}`
    const paused = await withDeliveries()
    await db.sql`update webhook set state = 'paused' where webhook_id = ${paused.webhook.id}`
    expect((await loadDue(db.sql, ROUND)).map(({ deliveryId }) => deliveryId)).toEqual(ids)
    expect(await claimDeliveries(db.sql, ROUND, [ids[0]!])).toHaveLength(1)
    expect(await claimDeliveries(db.sql, ROUND, [ids[0]!])).toEqual([])
    expect(await startedInRound(db.sql, { ...ROUND, slices: slicesOf(ALL) })).toEqual([[hook.workspaceId, 1]])
    expect(await claimDeliveries(db.sql, { ...ROUND, now: plus(AT, -HOUR) }, [ids[1]!])).toEqual([])
  })

  it('of more than 500 that are due to one webhook a round loads the oldest', async () => {
    const { ids } = await withDeliveries(501)
    const newest = ids[0]!
    await db.sql`update delivery set due_at = ${plus(AT, -HOUR)} where delivery_id <> ${newest}`
    const loaded = (await loadDue(db.sql, ROUND)).map(({ deliveryId }) => deliveryId)
    expect(loaded).toHaveLength(500)
    expect(loaded).not.toContain(newest)
  })

  it('a round loads what is due to webhooks that take it, however much is due longer to failing and slow ones', async () => {
    const healthy = await withDeliveries()
    const { workspaceId } = healthy.webhook
    const events = await eventsOf(healthy.ids)
    const failing = await addWaiting(workspaceId, 5_001, events)
    await db.sql`update webhook set failures_in_row = 1, first_failure_at = ${AT} where webhook_id = any(${failing})`
    const slow = await addWaiting(workspaceId, 5_001, events)
    const loaded = await loadDue(db.sql, { ...ROUND, slow: [...slow, failing[0]!] })
    expect(loaded.map(({ deliveryId }) => deliveryId)).toContain(healthy.ids[0])
    expect(loaded.filter((one) => one.failing)).toHaveLength(1_000)
    expect(loaded).toHaveLength(2_001)
  })

  it('of more than 5,000 due deliveries a round loads as many of each workspace, whatever the others have', async () => {
    const { ids } = await withDeliveries(2)
    // The other workspace has 20 webhooks, and more for each than is loaded.
    const events = await db.sql`
      insert into event (seq, event_id, type, provider, eligible_at, body, matched_at)
      select 1000000 + n, 'evt_many_' || n, 'price.changed', 'openai', ${AT}, '{}', ${AT} from generate_series(1, 300) n
      returning event_id as id`
    const many = events.map(({ id }) => id)
    await addWaiting(await addWorkspace(db.sql), 20, many)
    const loaded = await loadDue(db.sql, ROUND)
    expect(loaded).toHaveLength(5_000)
    // The second of the one webhook comes before the rest of what was due an hour longer.
    expect(loaded.slice(0, 4).map(({ deliveryId }) => deliveryId)).toEqual(expect.arrayContaining(ids))
  })

  it('a webhook alone in its workspace is loaded as one of few, however many wait in another workspace', async () => {
    const alone = await withDeliveries(300)
    await addWaiting(await addWorkspace(db.sql), 3_000, await eventsOf(alone.ids.slice(0, 2)))
    const loaded = await loadDue(db.sql, ROUND)
    expect(loaded).toHaveLength(5_000)
    expect(loaded.filter(({ webhookId }) => webhookId === alone.webhook.id)).toHaveLength(300)
    // What waits for another day is not a reason to load less of what is due.
    await db.sql`update delivery set due_at = ${plus(AT, DAY)} where webhook_id <> ${alone.webhook.id}`
    expect(await loadDue(db.sql, ROUND)).toHaveLength(300)
  })

  it('a claim is given back unless its attempt was opened', async () => {
    const { ids } = await withDeliveries(2)
    const claimed = await claimDeliveries(db.sql, ROUND, ids)
    await openAttempt(db.sql, keyOf(ids[0]!), AT)
    for (const one of claimed) await unclaim(db.sql, 'round', one)
    expect([(await delivery(ids[0]!)).claimed, (await delivery(ids[1]!)).claimed]).toEqual([true, false])
  })

  it('repair gives back old claims whose attempt was never opened, and finds the others', async () => {
    const { ids } = await withDeliveries(3)
    await claimDeliveries(db.sql, ROUND, ids.slice(0, 2))
    await claimDeliveries(db.sql, { ...ROUND, now: plus(AT, MINUTE) }, ids.slice(2))
    for (const id of [ids[0]!, ids[2]!]) await openAttempt(db.sql, keyOf(id), AT)
    expect(await abandonedAttempts(db.sql, AT, 9)).toEqual([])
    expect(await abandonedAttempts(db.sql, plus(AT, 1), 9)).toEqual([keyOf(ids[0]!)])
    expect(await releaseClaims(db.sql, plus(AT, 1))).toBe(1)
    const claims = await Promise.all(ids.map(async (id) => (await delivery(id)).claimed))
    expect(claims).toEqual([true, false, true])
  })

  it('repair leaves an attempt alone that began lately, however long ago its delivery was claimed', async () => {
    const { id, ids } = await withDeliveries()
    await claimDeliveries(db.sql, ROUND, ids)
    await openAttempt(db.sql, keyOf(id), plus(AT, MINUTE))
    expect(await abandonedAttempts(db.sql, plus(AT, MINUTE), 9)).toEqual([])
    expect(await releaseClaims(db.sql, plus(AT, MINUTE))).toBe(0)
    expect(await abandonedAttempts(db.sql, plus(AT, MINUTE + 1), 9)).toEqual([keyOf(id)])
  })

  it('repair gives workflows back to what waits for a retry without one, once, and to nothing else', async () => {
    const { ids } = await withDeliveries(3)
    // The first was never tried, the second has its workflow, the third lost it.
    await db.sql`update delivery set due_at = ${plus(AT, HOUR)}`
    await db.sql`update delivery set attempts = 1 where delivery_id = any (${ids.slice(1)}::uuid[])`
    await db.sql`update delivery set started_cycle = 1 where delivery_id = ${ids[1]!}`
    expect((await takeWaiting(db.sql, AT, 9)).map(({ deliveryId }) => deliveryId)).toEqual([ids[2]])
    expect(await takeWaiting(db.sql, AT, 9)).toEqual([])
  })

  it('the first Temporal store is not a lost one; another one is, and no delivery has a workflow then', async () => {
    const { id } = await opened()
    await db.sql`update temporal_store set namespace_id = null`
    expect([await noteNamespace(db.sql, 'first'), (await delivery(id)).started]).toEqual([false, 1])
    expect([await noteNamespace(db.sql, 'first'), (await delivery(id)).started]).toEqual([false, 1])
    expect([await noteNamespace(db.sql, 'second'), (await delivery(id)).started]).toEqual([true, 0])
  })

  it('what is due while paused ends as not sent with a notice, and nothing that is under way or not due', async () => {
    const { webhook: hook, ids } = await withDeliveries(4)
    await db.sql`update delivery set started_cycle = 1 where delivery_id = ${ids[0]!}`
    await db.sql`update delivery set due_at = ${plus(AT, 1)} where delivery_id = ${ids[2]!}`
    await claimDeliveries(db.sql, ROUND, [ids[3]!])
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect(await failPausedDue(db.sql, AT)).toBe(2)
    expect(await Promise.all(ids.map(async (id) => (await delivery(id)).status))).toEqual([
      'failed',
      'failed',
      'pending',
      'pending',
    ])
    expect(await nextNotices(db.sql, { limit: 9 })).toMatchObject([{ deliveryId: ids[0] }])
  })

  it('resuming and resending counts what became due since the last round', async () => {
    const { webhook: hook, ids } = await withDeliveries(3)
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    await failPausedDue(db.sql, AT)
    await db.sql`
      update delivery set status = 'pending', not_sent = null, finished_at = null,
        due_at = ${AT}::timestamptz + case delivery_id when ${ids[1]!} then interval '1 s' else interval '1 min' end
      where delivery_id = any(${ids.slice(1)}::uuid[])`
    expect(await resumeAndResend(at(plus(AT, 1_000)), hook)).toEqual({ resent: 2 })
    expect(await Promise.all(ids.map(async (id) => (await delivery(id)).cycle))).toEqual([2, 1, 1])
  })

  it('resuming and resending, and resending one, begin with all six attempts again', async () => {
    const { webhook: hook, ids } = await withDeliveries(2)
    await db.sql`update delivery set attempts = 3, faults = 1`
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    await failPausedDue(db.sql, AT)
    expect(await resumeAndResend(at(AT), hook)).toEqual({ resent: 2 })
    await db.sql`update delivery set attempts = 2, faults = 1 where delivery_id = ${ids[1]!}`
    await resendDelivery(at(AT), hook, ids[1]!)
    const fresh = { status: 'pending', attempts: 0, faults: 0, dueAt: AT }
    expect(await delivery(ids[0]!)).toMatchObject({ ...fresh, cycle: 2 })
    expect(await delivery(ids[1]!)).toMatchObject({ ...fresh, cycle: 3 })
  })

  it('of a delivery that is resent again and again, every attempt is kept for as long as the delivery: 30 days after its last', async () => {
    const { webhook: hook, id } = await withDeliveries()
    const kept = async () =>
      (await db.sql`select distinct cycle from attempt where delivery_id = ${id} order by cycle`).map(
        (row) => row.cycle,
      )
    for (const cycle of [1, 2, 3, 4, 5]) {
      await openAttempt(db.sql, keyOf(id, 1, cycle), AT)
      if (cycle < 5) await resendDelivery(at(AT), hook, id)
    }
    await db.sql`update delivery set status = 'failed', not_sent = 'paused' where delivery_id = ${id}`
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect(await resumeAndResend(at(AT), hook)).toEqual({ resent: 1 })
    expect(await kept()).toEqual([1, 2, 3, 4, 5])
  })

  it('every attempt of a delivery can be read, 20 a page, each once', async () => {
    const { webhook: hook, id } = await withDeliveries()
    const attempts = Array.from({ length: 50 }, (_, n) => ({ cycle: Math.floor(n / 5) + 1, number: (n % 5) + 1 }))
    for (const { cycle, number } of attempts)
      await db.sql`
        insert into attempt (delivery_id, cycle, number, run, started_at, finished_at, outcome)
        values (${id}, ${cycle}, ${number}, 1, ${AT}, ${AT}, 'failed')`
    await db.sql`update delivery set cycle = 10, attempts = 5 where delivery_id = ${id}`
    const read: { cycle: number; number: number }[] = []
    for (let before: string | undefined, page = 0; page === 0 || before; page++) {
      const { delivery: shown } = await explainDelivery(db.sql, hook, id, before)
      expect(shown.attempts).toHaveLength(page < 2 ? 20 : 10)
      read.unshift(...shown.attempts.map(({ cycle, number }) => ({ cycle, number })))
      before = shown.olderAttempts
    }
    expect(read).toEqual(attempts)
  })

  it('the log shows the newest 20 attempts, and never fewer than the present sending has used up', async () => {
    const { webhook: hook, id } = await withDeliveries()
    const add = (cycle: number, number: number, run: number, outcome: string) =>
      db.sql`insert into attempt (delivery_id, cycle, number, run, started_at, finished_at, outcome)
             values (${id}, ${cycle}, ${number}, ${run}, ${AT}, ${AT}, ${outcome})`
    await add(1, 1, 1, 'failed')
    await add(2, 1, 1, 'failed')
    for (let run = 1; run <= 25; run++) await add(2, 2, run, 'platform')
    await db.sql`update delivery set cycle = 2, attempts = 1, faults = 25 where delivery_id = ${id}`
    const shown = (await listDeliveries(db.sql, hook, AT))[0]!.attempts
    expect(shown.map(({ cycle, number, outcome }) => [cycle, number, outcome])).toEqual([
      [2, 1, 'failed'],
      ...Array(19).fill([2, 2, 'platform']),
    ])
  })

  it('a webhook is deleted, and a delivery read and resent, through its own workspace alone', async () => {
    const [mine, other] = [await withDeliveries(), await withDeliveries()]
    await expect(resendDelivery(at(AT), other.webhook, mine.id)).rejects.toMatchObject({ code: 'not_found' })
    const stranger = { id: mine.webhook.id, workspaceId: other.webhook.workspaceId }
    await expect(resendDelivery(at(AT), stranger, mine.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(deleteWebhook(at(AT), stranger)).rejects.toMatchObject({ code: 'not_found' })
    expect(await readPayload(db.sql, stranger, mine.id)).toBeUndefined()
    expect(await listDeliveries(db.sql, stranger).catch((error) => error.code)).toSatisfy(
      (found: unknown) => found === 'not_found' || (found as unknown[]).length === 0,
    )
    expect((await delivery(mine.id)).cycle).toBe(1)
  })
})
