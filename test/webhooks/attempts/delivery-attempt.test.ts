import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { attemptDelivery } from '../../../src/webhooks/attempts/attempt-delivery.ts'
import { openAttempt } from '../../../src/webhooks/attempts/attempt-store.ts'
import { deliveryState } from '../../../src/webhooks/attempts/delivery-state-store.ts'
import { failUnsent, recordSuccess } from '../../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure } from '../../../src/webhooks/attempts/record-failure.ts'
import { explainDelivery, listDeliveries } from '../../../src/webhooks/log/list-deliveries.ts'
import { readPayload } from '../../../src/webhooks/log/read-payload.ts'
import { pauseWebhook } from '../../../src/webhooks/manage/pause-webhook.ts'
import { resendDelivery } from '../../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../../src/webhooks/resend/resume-and-resend.ts'
import { deleteOldDeliveries } from '../../../src/webhooks/retention/delete-old-deliveries.ts'
import { failPausedDue } from '../../../src/webhooks/rounds/fail-paused-due.ts'
import { reconcileDeliveries } from '../../../src/webhooks/rounds/reconcile-deliveries.ts'
import { abandonedAttempts } from '../../../src/webhooks/rounds/reconcile-store.ts'
import { claimDeliveries, finishedAttempts, loadDue } from '../../../src/webhooks/rounds/round-store.ts'
import { testDatabase } from '../../support/database.ts'
import { startReceiver, testReceiver } from '../../support/servers/receiver.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../../support/webhooks/deliveries.ts'
import { operator } from '../../support/webhooks/subscriptions.ts'

const at = instantOf(Math.floor(Date.now() / 1_000) * 1_000 - HOUR)
const FIRST = { cycle: 1, number: 1, run: 1 }

describe('one attempt', () => {
  const db = testDatabase()
  const receiver = testReceiver()

  const tools = () => ({ sql: db.sql, post: createSafeFetch({ allowPrivate: true }).post, secretKey: TEST_KEY })
  async function newDelivery(options: { url?: string; body?: string } = {}) {
    const hook = await addWebhook(db.sql, { url: options.url ?? receiver.url, at })
    const [id] = await addDeliveries(db.sql, hook, { at, body: options.body })
    return {
      hook,
      id: id!,
      key: { deliveryId: id!, ...FIRST },
      read: async () => (await listDeliveries(db.sql, hook))[0]!,
    }
  }
  const sentTo = (eventId: string) => receiver.requests.filter((request) => request.headers['webhook-id'] === eventId)

  it('sends the stored body byte for byte, with the alias member where a group is why', async () => {
    const body = '{"name":"模型 “é”","price":"0.10"}'
    const { id, hook, key, read } = await newDelivery({ body })
    await db.sql`update delivery set alias = ${'{"id":"g1","name":"GPT"}'} where delivery_id = ${id}`
    await attemptDelivery(tools(), key, at)
    const expected = '{"name":"模型 “é”","price":"0.10","alias":{"id":"g1","name":"GPT"}}'
    expect(sentTo((await read()).eventId)[0]!.body).toBe(expected)
    expect((await read()).payload).toBe(expected)
    expect(await readPayload(db.sql, hook, id)).toBe(expected)
    expect((await read()).payloadBytes).toBe(Buffer.byteLength(expected))
  })

  it('is shown with every header as it was sent', async () => {
    const { hook, id, key, read } = await newDelivery()
    await attemptDelivery(tools(), key, at)
    const { delivery, schedule, workflowId } = await explainDelivery(db.sql, hook, id)
    const { headers } = delivery.attempts[0]!
    expect(Object.keys(headers!)).toHaveLength(8)
    expect(sentTo((await read()).eventId)[0]!.headers).toMatchObject(headers!)
    expect(schedule.map(({ state }) => state).slice(0, 2)).toEqual(['succeeded', 'omitted'])
    expect(workflowId).toBe(`delivery/price.changed/${id}`)
  })

  it('is made once however often it is asked for', async () => {
    const { key, read } = await newDelivery()
    const results = await Promise.all([1, 2, 3].map(() => attemptDelivery(tools(), key, at)))
    expect(sentTo((await read()).eventId)).toHaveLength(1)
    expect(await read()).toMatchObject({ status: 'succeeded', attempts: [{ number: 1, outcome: 'succeeded' }] })
    expect(results).toHaveLength(3)
  })

  it('that got no answer because our process stood still is our fault: it uses up nothing, counts for no pause, and is made again', async () => {
    const answers = [() => undefined, () => ({ status: 200 })]
    const starved = await startReceiver({ answer: () => answers.shift()!() })
    const { hook, key, read } = await newDelivery({ url: starved.url })
    const attempt = attemptDelivery(tools(), key, at)
    // Like SIGSTOP: the time of the attempt ends while nothing of us runs.
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000), 500)
    const { state } = await attempt
    expect(state).toMatchObject({ status: 'pending', attempts: 0 })
    expect((await read()).attempts).toMatchObject([
      { number: 1, outcome: 'platform', error: expect.stringMatching(/this process stood still for \d+ ms/) },
    ])
    const [webhook] = await db.sql`
      select failures_in_row as failures, first_failure_at as since, state from webhook where webhook_id = ${hook.id}`
    expect(webhook).toEqual({ failures: 0, since: null, state: 'active' })
    expect((await attemptDelivery(tools(), { ...key, run: 2 }, at)).state).toMatchObject({
      status: 'succeeded',
      attempts: 1,
    })
    await starved.close()
  }, 20_000)

  it('that was opened and never closed counts as failed with an unknown outcome, and the retry schedule goes on', async () => {
    const { hook, key, read } = await newDelivery()
    expect((await openAttempt(db.sql, key, at)).request).toBeDefined()
    const { state } = await attemptDelivery(tools(), key, plus(at, 12_000))
    expect(state).toMatchObject({ status: 'pending', attempts: 1, dueAt: plus(at, 5_000 + 300_000) })
    expect((await read()).attempts).toMatchObject([{ number: 1, outcome: 'unknown' }])
    expect(sentTo((await read()).eventId)).toEqual([])
    const [row] = await db.sql`select failures_in_row as failures from webhook where webhook_id = ${hook.id}`
    expect(row).toEqual({ failures: 0 })
  })

  it('spoiled by our fault uses up no attempt, is started, and is due again', async () => {
    const { id, key, read, hook } = await newDelivery()
    const broken = { ...tools(), secretKey: new Uint8Array(32).fill(9) }
    const { state } = await attemptDelivery(broken, key, at)
    expect(state).toMatchObject({ status: 'pending', attempts: 0, dueAt: at })
    expect((await read()).attempts).toMatchObject([{ number: 1, outcome: 'platform' }])
    const [row] = await db.sql`select failures_in_row as failures from webhook where webhook_id = ${hook.id}`
    expect(row).toEqual({ failures: 0 })
    await attemptDelivery(tools(), { deliveryId: id, cycle: 1, number: 1, run: 2 }, at)
    expect(await read()).toMatchObject({
      status: 'succeeded',
      attempts: [{ outcome: 'platform' }, { outcome: 'succeeded' }],
    })
  })

  it('of a deleted delivery sends nothing', async () => {
    const { key, hook } = await newDelivery()
    await db.sql`delete from webhook where webhook_id = ${hook.id}`
    expect((await attemptDelivery(tools(), key, at)).state).toEqual({ status: 'gone', attempts: 0 })
  })

  it('while the webhook is paused sends nothing, whatever the round thought', async () => {
    const { key, hook, read } = await newDelivery()
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    expect((await attemptDelivery(tools(), key, at)).state).toMatchObject({ status: 'failed', notSent: true })
    expect((await read()).attempts).toEqual([])
    await failUnsent(db.sql, key, at)
  })

  it('that ends after a resend began leaves the new cycle alone', async () => {
    const { id, key, read } = await newDelivery()
    await openAttempt(db.sql, key, at)
    await db.sql`update delivery set cycle = 2, attempts = 0, due_at = ${at} where delivery_id = ${id}`
    const outcome = { text: 'HTTP 200 after 1 ms', status: 200, durationMs: 1 }
    expect(await recordSuccess(db.sql, key, { ...outcome, kind: 'succeeded' }, at)).toBe(false)
    expect(await read()).toMatchObject({ status: 'pending', nextTryAt: at })
  })

  it('keeps the first KB of what the endpoint answered', async () => {
    const { key, read } = await newDelivery()
    receiver.answerNext({ status: 400, body: 'x'.repeat(5_000) })
    await attemptDelivery(tools(), key, at)
    expect((await read()).attempts[0]!.response).toBe('x'.repeat(1_024))
  })

  it('is signed with both keys until exactly 24 hours after a rotation', async () => {
    const { hook, id, key } = await newDelivery()
    await db.sql`update webhook_secret set signs_until = ${plus(at, DAY)} where webhook_id = ${hook.id}`
    await db.sql`
      insert into webhook_secret (webhook_id, key_id, sealed, created_at)
      select webhook_id, key_id, sealed, ${at} from webhook_secret where webhook_id = ${hook.id}`
    receiver.answerNext({ status: 500 })
    await attemptDelivery(tools(), key, plus(at, DAY - 1))
    await attemptDelivery(tools(), { deliveryId: id, cycle: 1, number: 2, run: 1 }, plus(at, DAY))
    const signatures = receiver.requests
      .slice(-2)
      .map((request) => String(request.headers['webhook-signature']).split(' ').length)
    expect(signatures).toEqual([2, 1])
  })

  it('of one endpoint at once fail together without losing count', async () => {
    const hook = await addWebhook(db.sql, { url: receiver.url, at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 8 })
    receiver.answer({ status: 500 })
    await Promise.all(ids.map((deliveryId) => attemptDelivery(tools(), { deliveryId, ...FIRST }, at)))
    receiver.answer({ status: 200 })
    const [row] = await db.sql`select failures_in_row as failures, state from webhook where webhook_id = ${hook.id}`
    expect(row).toEqual({ failures: 8, state: 'active' })
  })
})

describe('what a round reads and claims', () => {
  const db = testDatabase()
  const round = { roundId: 'r1', now: at }

  it('claims each delivery once, however many rounds run at the same time', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 200 })
    expect(await loadDue(db.sql, round)).toHaveLength(200)
    const claims = await Promise.all(
      [1, 2, 3, 4].map((n) => claimDeliveries(db.sql, { roundId: `r${n}`, now: at }, ids)),
    )
    expect(claims.flat()).toHaveLength(200)
    expect(claims.flat()[0]).toMatchObject({ grant: FIRST, waiting: false, eventType: 'price.changed' })
    expect(await loadDue(db.sql, { roundId: 'later', now: at })).toEqual([])
    expect(await finishedAttempts(db.sql, ids)).toEqual([])
    await db.sql`delete from webhook`
  })

  it('leaves out what is not due, and what it has started already', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    await addDeliveries(db.sql, hook, { at: plus(at, 1) })
    const [tried] = await addDeliveries(db.sql, hook, { at })
    await db.sql`update delivery set round_id = 'r1' where delivery_id = ${tried!}`
    expect(await loadDue(db.sql, round)).toEqual([])
    expect(await loadDue(db.sql, { roundId: 'r2', now: at })).toHaveLength(1)
    await db.sql`delete from webhook`
  })

  it('says how attempts ended, and that a deleted one is over', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 4 })
    await claimDeliveries(db.sql, round, ids)
    for (const deliveryId of ids) await openAttempt(db.sql, { deliveryId, ...FIRST }, at)
    const outcome = { text: 'x', status: 200, durationMs: 1 }
    await recordSuccess(db.sql, { deliveryId: ids[0]!, ...FIRST }, { ...outcome, kind: 'succeeded' }, at)
    await recordFailure(db.sql, { deliveryId: ids[1]!, ...FIRST }, { ...outcome, kind: 'failed' }, at)
    await db.sql`delete from delivery where delivery_id = ${ids[2]!}`
    // The receiver failed once; this attempt ended by our fault.
    await db.sql`update delivery set attempts = 1, faults = 1, claimed_at = null where delivery_id = ${ids[3]!}`
    const ended = await finishedAttempts(db.sql, ids)
    expect(new Map(ended.map(({ deliveryId, outcome }) => [deliveryId, outcome]))).toEqual(
      new Map([
        [ids[0]!, 'succeeded'],
        [ids[1]!, 'failed'],
        [ids[2]!, 'unclear'],
        [ids[3]!, 'unclear'],
      ]),
    )
    await db.sql`delete from webhook`
  })

  it('fails what is due on a paused webhook, and nothing else', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const other = await addWebhook(db.sql, { url: 'https://example.com', at })
    await db.sql`update webhook set state = 'paused' where webhook_id = ${hook.id}`
    await addDeliveries(db.sql, hook, { at, count: 3 })
    await addDeliveries(db.sql, hook, { at: plus(at, 60_000) })
    await addDeliveries(db.sql, other, { at })
    expect(await failPausedDue(db.sql, at)).toBe(3)
    expect(await loadDue(db.sql, round)).toHaveLength(1)
    await db.sql`delete from webhook`
  })
})

describe('repair', () => {
  const db = testDatabase({ each: true })
  const started: string[] = []
  const notified: string[] = []
  beforeEach(() => {
    started.length = 0
    notified.length = 0
  })
  const workflows = {
    start: async ({ deliveryId }: { deliveryId: string }) => void started.push(deliveryId),
    changed: async ({ deliveryId }: { deliveryId: string }) => void notified.push(deliveryId),
    grant: async () => ({ here: false }),
    notifyWebhook: async () => {},
  }
  const repair = (now: Instant, namespaceId = 'n1') =>
    reconcileDeliveries({ sql: db.sql, workflows, now, namespaceId, heartbeat: () => {} })

  it('gives back claims no one holds, and records attempts no one closed as unknown', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 2 })
    await claimDeliveries(db.sql, { roundId: 'r1', now: at }, ids)
    await openAttempt(db.sql, { deliveryId: ids[1]!, ...FIRST }, at)
    expect(await repair(plus(at, 59_000))).toMatchObject({ unknown: 0, released: 0 })
    expect(await repair(plus(at, 61_000))).toMatchObject({ unknown: 1, released: 1 })
    expect(await deliveryState(db.sql, ids[0]!)).toMatchObject({ status: 'pending', attempts: 0, dueAt: at })
    expect(await deliveryState(db.sql, ids[1]!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      dueAt: plus(at, 305_000),
    })
    expect(await abandonedAttempts(db.sql, plus(at, DAY), 10)).toEqual([])
  })

  it('gives every delivery that waits for a retry a workflow again when Temporal’s store was lost', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [waiting] = await addDeliveries(db.sql, hook, { at })
    await db.sql`
      update delivery set started_cycle = cycle, attempts = 1, due_at = ${plus(at, DAY)} where delivery_id = ${waiting!}`
    const [over] = await addDeliveries(db.sql, hook, { at })
    await db.sql`
      update delivery set started_cycle = cycle, status = 'succeeded', due_at = null where delivery_id = ${over!}`
    await repair(plus(at, 61_000))
    expect(await repair(plus(at, 62_000))).toMatchObject({ storeLost: false, restarted: 0 })
    expect(await repair(plus(at, 63_000), 'n2')).toMatchObject({ storeLost: true, restarted: 1 })
    expect(started).toEqual([waiting!])
    expect(await repair(plus(at, 64_000), 'n2')).toMatchObject({ storeLost: false, restarted: 0 })
    // One that is over needs no workflow.
    expect(await db.sql`select started_cycle from delivery where delivery_id = ${over!}`).toEqual([
      { started_cycle: 1 },
    ])
  })

  it('passes on notices that were lost', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [id] = await addDeliveries(db.sql, hook, { at: plus(at, DAY) })
    await db.sql`
      insert into delivery_notice (delivery_id, webhook_id, what, created_at)
      values (${id!}, ${hook.id}, 'the webhook was paused', ${at})`
    expect(await repair(plus(at, 30_000), 'n2')).toMatchObject({ notices: 0 })
    expect(await repair(plus(at, 70_000), 'n2')).toMatchObject({ notices: 1 })
    expect(notified).toEqual([id!])
    expect(await db.sql`select 1 from delivery_notice`).toHaveLength(0)
  })
})

describe('the log', () => {
  const db = testDatabase()

  it('shows the newest 50 deliveries of a webhook', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    for (let n = 0; n < 60; n++) await addDeliveries(db.sql, hook, { at: plus(at, n) })
    const log = await listDeliveries(db.sql, hook)
    expect(log).toHaveLength(50)
    expect([log[0]!.createdAt, log[49]!.createdAt]).toEqual([plus(at, 59), plus(at, 10)])
    await db.sql`delete from webhook`
  })

  it('names what the event of each delivery is about, and nothing for a test', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    await addDeliveries(db.sql, hook, { at, count: 3 })
    const [price, document, test] =
      await db.sql`select event_id as "eventId" from delivery where webhook_id = ${hook.id} order by created_at, delivery_id`
    await db.sql`update event set resources = '{gpt-5,gpt-5-old}' where event_id = ${price!.eventId}`
    await db.sql`update event set document = 'terms' where event_id = ${document!.eventId}`
    await db.sql`update event set provider = null where event_id = ${test!.eventId}`
    const log = await listDeliveries(db.sql, hook)
    const aboutOf = (eventId: string) => {
      const { provider, subject } = log.find((delivery) => delivery.eventId === eventId)!
      return { provider, subject }
    }
    expect(aboutOf(price!.eventId)).toEqual({ provider: 'openai', subject: 'gpt-5' })
    expect(aboutOf(document!.eventId)).toEqual({ provider: 'openai', subject: 'terms' })
    expect(aboutOf(test!.eventId)).toEqual({})
    await db.sql`delete from webhook`
  })

  it('keeps a resent delivery 30 days after the resend, also when it was not sent', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    const month = 30 * DAY
    await db.sql`
      update delivery set status = 'succeeded', due_at = null, finished_at = ${at}, last_attempt_at = ${at}
      where delivery_id = ${id!}`
    const resentAt = plus(at, 29 * DAY)
    await resendDelivery({ sql: db.sql, now: resentAt }, hook, id!)
    await pauseWebhook({ ...operator(db.sql), now: resentAt }, hook, 'Paused by hand.')
    expect(await failPausedDue(db.sql, resentAt)).toBe(1)
    expect(await deleteOldDeliveries(db.sql, plus(at, month), 100)).toBe(0)
    expect(await deleteOldDeliveries(db.sql, plus(resentAt, month - 1), 100)).toBe(0)
    expect(await deleteOldDeliveries(db.sql, plus(resentAt, month), 100)).toBe(1)
    await db.sql`delete from webhook`
  })

  it('shows every POST of an attempt, also the one on a connection that the receiver had closed', async () => {
    // Answers the first request of a connection, and closes the connection when a second one comes.
    const served = new WeakSet<object>()
    const receiver = await startReceiver({
      answer(_request, response) {
        const { socket } = response
        if (!socket || !served.has(socket)) {
          if (socket) served.add(socket)
          return { status: 200, body: 'ok' }
        }
        socket.destroy()
        return undefined
      },
    })
    const { post, close } = createSafeFetch({ allowPrivate: true })
    const hook = await addWebhook(db.sql, { url: receiver.url, at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 2 })
    for (const deliveryId of ids)
      await attemptDelivery({ sql: db.sql, post, secretKey: TEST_KEY }, { deliveryId, ...FIRST }, at)
    const second = (await listDeliveries(db.sql, hook)).find((delivery) => delivery.id === ids[1])!
    expect(receiver.requests).toHaveLength(3)
    expect(second.attempts).toMatchObject([{ number: 1, outcome: 'succeeded', status: 200, response: 'ok' }])
    const { earlierPosts } = second.attempts[0]!
    expect(earlierPosts).toEqual([
      { startedAt: expect.any(String), error: expect.stringMatching(/closed/), durationMs: expect.any(Number) },
    ])
    expect(earlierPosts![0]!.startedAt >= at).toBe(true)
    await Promise.all([close(), receiver.close()])
    await db.sql`delete from webhook`
  })

  it('leaves a large payload out, to be read by itself', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const body = `{"list":"${'é'.repeat(2_000_000)}"}`
    const [id] = await addDeliveries(db.sql, hook, { at, body })
    expect((await listDeliveries(db.sql, hook))[0]!.payload).toBeUndefined()
    expect(await readPayload(db.sql, hook, id!)).toBe(body)
    await db.sql`delete from webhook`
  })

  it('shows and resends a delivery until its 30 days end, to the millisecond, although its row goes later', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    await db.sql`
      update delivery set status = 'succeeded', due_at = null, finished_at = ${at}, last_attempt_at = ${at}
      where delivery_id = ${id!}`
    const end = plus(at, 30 * DAY)
    expect(await listDeliveries(db.sql, hook, plus(end, -1))).toHaveLength(1)
    expect(await listDeliveries(db.sql, hook, end)).toHaveLength(0)
    await expect(resendDelivery({ sql: db.sql, now: end }, hook, id!)).rejects.toMatchObject({ code: 'not_found' })
    await resendDelivery({ sql: db.sql, now: plus(end, -1) }, hook, id!)
    expect(await listDeliveries(db.sql, hook, plus(end, DAY))).toHaveLength(1)
    await db.sql`delete from webhook`
  })

  it('shows nothing that has been over for 30 days, and resumes no such delivery', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [old, younger] = await addDeliveries(db.sql, hook, { at, count: 2 })
    const month = 30 * DAY
    await db.sql`
      update delivery set status = 'failed', not_sent = 'paused', due_at = null,
        finished_at = case delivery_id when ${old!} then ${plus(at, -month)}::timestamptz else ${plus(at, 1)} end`
    expect((await listDeliveries(db.sql, hook)).map(({ id }) => id)).toEqual([younger])
    expect(await readPayload(db.sql, hook, old!)).toBeUndefined()
    await expect(explainDelivery(db.sql, hook, old!)).rejects.toMatchObject({ code: 'not_found' })
    expect(await resumeAndResend({ ...operator(db.sql), now: plus(at, month) }, hook)).toEqual({ resent: 1 })
    expect(await resumeAndResend({ ...operator(db.sql), now: plus(at, month) }, hook)).toEqual({ resent: 0 })
    await db.sql`delete from webhook`
  })

  it('keeps a delivery 30 days after its last attempt, and a pending one forever', async () => {
    const hook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const ids = await addDeliveries(db.sql, hook, { at, count: 3 })
    const month = 30 * DAY
    await db.sql`
      update delivery set status = 'succeeded', finished_at = ${at}, last_attempt_at = ${at} where delivery_id = ${ids[0]!}`
    await db.sql`
      update delivery set status = 'failed', finished_at = ${at}, last_attempt_at = ${plus(at, DAY)}
      where delivery_id = ${ids[1]!}`
    await db.sql`update delivery set attempts = 1, last_attempt_at = ${at} where delivery_id = ${ids[2]!}`
    const left = async () => (await listDeliveries(db.sql, hook)).map(({ id }) => id).sort()
    expect(await deleteOldDeliveries(db.sql, plus(at, month - 1), 100)).toBe(0)
    expect(await deleteOldDeliveries(db.sql, plus(at, month), 100)).toBe(1)
    expect(await left()).toEqual([ids[1]!, ids[2]!].sort())
    expect(await deleteOldDeliveries(db.sql, plus(at, month + DAY), 100)).toBe(1)
    expect(await left()).toEqual([ids[2]!])
  })
})
