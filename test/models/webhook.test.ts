import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochMs, instantOf } from '../../src/lib/instant.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { deleteOldDeliveries } from '../../src/webhooks/manage/delete-old-deliveries.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { listDeliveries } from '../../src/webhooks/manage/list-deliveries.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resendDelivery } from '../../src/webhooks/manage/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/manage/resume-and-resend.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { claimDeliveries } from '../../src/webhooks/rounds/round-store.ts'
import type { WebhookRef } from '../../src/webhooks/schema.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { deliveryWorkflowId, webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { testDatabase } from '../support/database.ts'
import { TEST_KEY } from '../support/deliveries.ts'
import { deliverySystem } from '../support/delivery-system.ts'
import type { Answer, ReceivedRequest } from '../support/receiver.ts'
import { addWorkspace, record } from '../support/subscriptions.ts'
import { timeSkipping } from '../support/temporal.ts'
import { checkAgainstModel, command } from './run-model.ts'
import * as model from './webhook-model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TYPES = ['price.changed', 'tos.changed'] as const
const MOST_WEBHOOKS = 3
/** A check finds nothing that comes due while it runs: no attempt is due so near to it. */
const NOT_NEAR = 60_000

type Webhook = model.ModelWebhook & WebhookRef & { path: string }
type World = { webhooks: Webhook[]; workspaceId: string; paths: number }
/** How a receiver answers. */
type Reply = Answer | 'breaks off' | 'is silent'

const LONG = process.env.PRICETAPE_PROPERTY_SECONDS !== undefined
const replies: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom({ status: 200 }, { status: 204 }, { status: 299 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Reply>(
      { status: 500 },
      { status: 503 },
      { status: 404 },
      { status: 410 },
      { status: 429, headers: { 'retry-after': '60' } },
      { status: 301, headers: { location: '/elsewhere' } },
      'breaks off',
    ),
  },
  // An answer that never comes takes five seconds.
  { weight: LONG ? 1 : 0, arbitrary: fc.constant<Reply>('is silent') },
)
const waits = fc.constantFrom('5 min', 'until due', 'almost until due', '8 h', 'a day', 'a day after', '31 days')
const describeReply = (reply: Reply) => (typeof reply === 'string' ? reply : String(reply.status))

describe('a webhook and its deliveries', () => {
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping(), { PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT: '1' })
  const operator = async () => ({ sql: db.sql, workflows: system.workflows, now: await system.now() })
  const secretTools = { secretKey: TEST_KEY, checkUrl: async () => {} }
  const now = async () => epochMs(await system.now())
  const bodies = new Map<string, string>()

  async function begin() {
    await db.sql`truncate workspace, event cascade`
    bodies.clear()
    const world: World = { webhooks: [], workspaceId: await addWorkspace(db.sql), paths: 0 }
    await addWebhook(world)
    return { model: world, real: system }
  }

  async function addWebhook(world: World) {
    const path = `/hook-${world.paths++}`
    const url = new URL(path, system.receiver.url).href
    const body = { name: 'Orders', url, eventTypes: [...TYPES], providers: ['*'] }
    const { webhook, secret } = await createWebhook(db.sql, secretTools, world.workspaceId, body)
    const made = model.newWebhook(secret, [...TYPES])
    world.webhooks.push({ ...made, path, id: webhook.id, workspaceId: world.workspaceId })
  }

  /** Lets time pass, but not to an instant at which something is just due. */
  async function pass({ webhooks }: World, wait: string) {
    const from = await now()
    const dues = webhooks.flatMap(({ deliveries }) =>
      [...deliveries.values()].filter(({ status }) => status === 'pending').map(({ dueAt }) => dueAt),
    )
    const next = Math.min(...dues.filter((due) => due > from), from + 8 * HOUR)
    const firstFailure = Math.max(...webhooks.map(({ firstFailureAt }) => firstFailureAt ?? 0))
    const to = {
      '5 min': from + 5 * MINUTE,
      'until due': next + NOT_NEAR,
      'almost until due': next - NOT_NEAR,
      '8 h': from + 8 * HOUR,
      'a day': from + DAY,
      'a day after': firstFailure + DAY + 1_000,
      '31 days': from + 31 * DAY,
    }[wait]!
    let at = Math.max(to, from + 2 * NOT_NEAR)
    while (dues.some((due) => Math.abs(due - at) < NOT_NEAR)) at += NOT_NEAR
    await system.until(instantOf(at))
  }

  /** Runs a check whose requests get these answers, and compares every request and what became of it. */
  async function check(world: World, given: Reply[]) {
    const { receiver } = system
    const earlier = receiver.requests.length
    const answers = new Map<string, Reply>()
    receiver.answer((request, response) => {
      const key = keyOf(request)
      if (!answers.has(key)) answers.set(key, given[answers.size % given.length]!)
      const reply = answers.get(key)!
      if (reply === 'breaks off') response.destroy()
      return typeof reply === 'string' ? undefined : reply
    })
    const began = await now()
    await system.check()
    const ended = await now()
    for (const webhook of world.webhooks) {
      model.findPublished(webhook, began)
      await recordCrashes(webhook)
    }
    const seen = new Set<string>()
    const requests = receiver.requests.slice(earlier)
    for (const request of requests) {
      const webhook = world.webhooks.find(({ path }) => path === request.path)
      const delivery = webhook?.deliveries.get(String(request.headers['webhook-id']))
      if (!webhook || !delivery) throw new Error(`Nobody expects ${keyOf(request)}.`)
      checkRequest(webhook, request, began)
      // A POST that got no answer on a used connection is made once more.
      if (seen.has(keyOf(request))) continue
      seen.add(keyOf(request))
      const { deliveryKey, attempts } = await readAttempts(webhook, delivery)
      expect(webhook.state, `${deliveryKey} is sent`).toBe('active')
      expect(model.isDue(delivery, ended), `${deliveryKey} is due at ${instantOf(delivery.dueAt)}`).toBe(true)
      for (const other of webhook.deliveries.values())
        if (model.isDue(other, began)) expect(delivery.dueAt, 'the oldest first').toBeLessThanOrEqual(other.dueAt)
      const reply = answers.get(keyOf(request))!
      const made = attempts.find(({ number }) => number === delivery.attempts.length + 1)!
      expect(made, `${deliveryKey} has an attempt ${delivery.attempts.length + 1}`).toBeDefined()
      expect(made.began).toBeGreaterThanOrEqual(began)
      expect(made.began).toBeLessThan(began + 5 * MINUTE)
      const succeeds = typeof reply !== 'string' && String(reply.status).startsWith('2')
      const outcome = succeeds ? 'succeeded' : 'failed'
      expect(made.outcome, `${deliveryKey}: ${describeReply(reply)}`).toBe(outcome)
      model.attempt(webhook, delivery, outcome, made)
    }
    for (const webhook of world.webhooks) {
      model.failDueWhilePaused(webhook, began)
      const left = [...webhook.deliveries.values()].filter((delivery) => model.isDue(delivery, began))
      expect(
        left.map(({ eventId }) => eventId),
        'nothing that was due is left',
      ).toEqual([])
    }
  }

  /** "A crash between start and outcome … counts as a failed attempt": from the next check on it shows as unknown. */
  async function recordCrashes(webhook: Webhook) {
    for (const delivery of webhook.deliveries.values()) {
      if (delivery.crashedAt === undefined) continue
      const ended = delivery.crashedAt + 5_000
      model.attempt(webhook, delivery, 'unknown', { began: delivery.crashedAt, ended })
    }
  }

  /** A round that crashes: some of what was due is claimed, and of that some attempts have begun. */
  async function crashRound(world: World, claims: number) {
    await pass(world, 'until due')
    const at = await system.now()
    while ((await matchEvents(db.sql, { now: at })).events > 0);
    for (const webhook of world.webhooks) {
      model.findPublished(webhook, epochMs(at))
      if (webhook.state === 'paused') continue
      const due = [...webhook.deliveries.values()].filter((delivery) => model.isDue(delivery, epochMs(at)))
      for (const [n, delivery] of due.slice(0, claims).entries()) {
        const [row] = await db.sql<{ id: string }[]>`
          select delivery_id as id from delivery where webhook_id = ${webhook.id} and event_id = ${delivery.eventId}`
        const deliveryId = row!.id
        const [claimed] = await claimDeliveries(db.sql, { roundId: `crashed at ${at}`, now: at }, [deliveryId])
        // An earlier round crashed after it had claimed this one.
        if (!claimed || n % 2 === 1) continue
        expect(await openAttempt(db.sql, { deliveryId, ...claimed.grant }, at)).toHaveProperty('request')
        delivery.crashedAt = epochMs(at)
      }
    }
  }

  const keyOf = (request: ReceivedRequest) => `${request.headers['webhook-id']} at ${request.path}`

  function checkRequest(webhook: Webhook, request: ReceivedRequest, at: number) {
    const { headers, body } = request
    const id = String(headers['webhook-id'])
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`
    const signatures = model.signingSecrets(webhook, at).map((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    })
    expect(String(headers['webhook-signature']).split(' ').sort()).toEqual(signatures.sort())
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - request.at.getTime())).toBeLessThan(5 * MINUTE)
    expect(body, 'the same body at every attempt').toBe(bodies.get(id) ?? body)
    bodies.set(id, body)
  }

  async function readAttempts(webhook: Webhook, { eventId, cycle }: model.ModelDelivery) {
    const rows = await db.sql<{ number: number; outcome: string | null; began: string; ended: string }[]>`
      select a.number, a.outcome, a.started_at as began, coalesce(a.finished_at, a.started_at) as ended
      from delivery d join attempt a using (delivery_id)
      where d.webhook_id = ${webhook.id} and d.event_id = ${eventId} and a.cycle = ${cycle}
      order by a.number, a.run`
    const attempts = rows.map((row) => ({ ...row, began: Date.parse(row.began), ended: Date.parse(row.ended) }))
    return { deliveryKey: `${eventId} for ${webhook.path}`, attempts }
  }

  /** What the app shows of every webhook is what the model says. */
  async function compare({ webhooks }: World) {
    for (const webhook of webhooks) {
      const [row] = await db.sql`
        select state, failures_in_row as failures, first_failure_at as first from webhook where webhook_id = ${webhook.id}`
      const { state, failures, firstFailureAt } = webhook
      expect(row).toEqual({ state, failures, first: firstFailureAt ? instantOf(firstFailureAt) : null })
      const log = await listDeliveries(db.sql, webhook)
      expect(log.length).toBe(Math.min(50, webhook.deliveries.size))
      for (const shown of log) {
        const delivery = webhook.deliveries.get(shown.eventId)!
        expect(delivery, `${shown.eventId} is in the log`).toBeDefined()
        if (delivery.crashedAt !== undefined) continue
        const { status, notSent, cycle, attempts, dueAt } = delivery
        expect({
          status: shown.status,
          notSent: shown.notSent,
          cycle: shown.cycle,
          attempts: shown.attempts.filter((one) => one.cycle === cycle).map(({ outcome }) => outcome),
          nextTryAt: attempts.length > 0 ? shown.nextTryAt : undefined,
          error: shown.notSent ? shown.error : undefined,
        }).toEqual({
          ...{ status, notSent, cycle, attempts },
          nextTryAt: attempts.length > 0 && status === 'pending' ? instantOf(dueAt) : undefined,
          error: notSent ? 'Not sent because the webhook is paused.' : undefined,
        })
      }
    }
  }

  /** The workflows of deliveries show the same status to operators, and end with their webhooks. */
  async function end(world: World) {
    const pending = world.webhooks.flatMap(({ deliveries }) =>
      [...deliveries.values()].filter(({ status }) => status === 'pending'),
    )
    await pass(world, '5 min')
    await check(world, [{ status: 200 }])
    await compare(world)
    // The check after the one that did not send a delivery notifies its workflow.
    const isNotified = (delivery: model.ModelDelivery) => !(delivery.notSent && pending.includes(delivery))
    const running: string[] = []
    for (const webhook of world.webhooks) {
      for (const shown of await listDeliveries(db.sql, webhook)) {
        const delivery = webhook.deliveries.get(shown.eventId)!
        const { status, attempts, notSent } = delivery
        if (attempts.length === 0 || attempts.includes('unknown') || !isNotified(delivery)) continue
        const workflowId = deliveryWorkflowId({ deliveryId: shown.id, eventType: shown.eventType })
        await system.eventually(async () => {
          const seen = await system.client.workflow.getHandle(workflowId).describe()
          expect([seen.status.name, seen.searchAttributes.DeliveryStatus?.[0]]).toEqual(
            status === 'pending' ? ['RUNNING', 'retrying'] : ['COMPLETED', notSent ? 'not_sent' : status],
          )
        })
        if (status === 'pending') running.push(workflowId)
      }
      await deleteWebhook(await operator(), webhook)
      await system.client.workflow.getHandle(webhookWorkflowId(webhook.id)).result()
    }
    for (const workflowId of running)
      expect(await system.client.workflow.getHandle(workflowId).result()).toMatchObject({ status: 'gone' })
  }

  /** An action on one of the webhooks, and the comparison after it. */
  const action = (
    name: string,
    act: (webhook: Webhook, world: World, pick: number) => Promise<void>,
    isPossible: (world: Readonly<World>) => boolean = ({ webhooks }) => webhooks.length > 0,
  ) =>
    fc.tuple(fc.nat(MOST_WEBHOOKS - 1), fc.nat(1_000)).map(([which, pick]) =>
      command<World, typeof system>(
        `${name} (${which}, ${pick})`,
        async (world) => {
          await act(world.webhooks[which % Math.max(1, world.webhooks.length)]!, world, pick)
          await compare(world)
        },
        isPossible,
      ),
    )
  const pausedError = (webhook: Webhook, done: Promise<unknown>) =>
    webhook.state === 'paused'
      ? expect(done)
          .rejects.toMatchObject({ code: 'webhook_paused', status: 409 })
          .then(() => true)
      : done.then(() => false)

  const checks = fc.tuple(waits, fc.array(replies, { minLength: 1, maxLength: 3 })).map(([wait, given]) =>
    command<World, typeof system>(`after ${wait} a check (${given.map(describeReply)})`, async (world) => {
      await pass(world, wait)
      await check(world, given)
      await compare(world)
    }),
  )
  const events = action('an event', async (_webhook, world, pick) => {
    const type = TYPES[pick % 2]!
    const payload = { n: pick }
    const [id] = await record(db.sql, { type, provider: 'openai', payload, resources: ['m'], document: 'terms' })
    for (const webhook of world.webhooks) model.publish(webhook, id!, type)
  })
  const commands = [
    ...[checks, checks, checks, checks, checks, events, events, events],
    action('pause', async (webhook) => {
      await pauseWebhook(await operator(), webhook, 'Paused by hand.')
      model.pause(webhook)
    }),
    action('resume', async (webhook) => {
      await resumeWebhook(await operator(), webhook)
      model.resume(webhook)
    }),
    action('resume and resend', async (webhook) => {
      const by = await operator()
      expect(await resumeAndResend(by, webhook)).toEqual({ resent: model.resumeAndResend(webhook, epochMs(by.now)) })
    }),
    action('resend', async (webhook, _world, pick) => {
      const log = await listDeliveries(db.sql, webhook)
      if (log.length === 0) return
      const { id, eventId } = log[pick % log.length]!
      const by = await operator()
      if (await pausedError(webhook, resendDelivery(by, webhook, id))) return
      model.resend(webhook.deliveries.get(eventId)!, epochMs(by.now))
    }),
    action('send a test', async (webhook) => {
      const by = await operator()
      const eventId = `test_${webhook.id}_${Math.floor(epochMs(by.now) / MINUTE)}`
      if (await pausedError(webhook, sendTestEvent(by, webhook))) return
      model.sendTest(webhook, eventId, epochMs(by.now))
    }),
    action('edit the URL', async (webhook, world) => {
      const path = `/hook-${world.paths++}`
      await editWebhook(await operator(), secretTools, webhook, { url: new URL(path, system.receiver.url).href })
      webhook.path = path
      model.restartCount(webhook)
    }),
    action('edit the event types', async (webhook, _world, pick) => {
      const eventTypes = pick % 3 === 0 ? [...TYPES] : [TYPES[pick % 2]!]
      await editWebhook(await operator(), secretTools, webhook, { eventTypes })
      webhook.eventTypes = eventTypes
    }),
    action('rotate the secret', async (webhook) => {
      const at = await system.now()
      const { secret } = await rotateSecret(db.sql, TEST_KEY, webhook, at)
      model.rotate(webhook, secret, epochMs(at))
    }),
    action('delete what is old', async (_webhook, world) => {
      const at = await system.now()
      await deleteOldDeliveries(db.sql, at, 1_000)
      for (const webhook of world.webhooks) model.forgetOld(webhook, epochMs(at))
    }),
    action(
      'create a webhook',
      async (_webhook, world) => addWebhook(world),
      ({ webhooks }) => webhooks.length < MOST_WEBHOOKS,
    ),
    action(
      'delete the webhook',
      async (webhook, world) => {
        await deleteWebhook(await operator(), webhook)
        world.webhooks.splice(world.webhooks.indexOf(webhook), 1)
        await system.client.workflow.getHandle(webhookWorkflowId(webhook.id)).result()
      },
      ({ webhooks }) => webhooks.length > 1,
    ),
    fc.integer({ min: 1, max: 3 }).map((claims) =>
      command<World, typeof system>(`a round that crashes (${claims})`, async (world) => {
        await crashRound(world, claims)
        await compare(world)
      }),
    ),
  ]

  it('are as the table of states says, over days of virtual time, whatever is done and answered and whatever crashes', async () => {
    const tried = await checkAgainstModel({ name: 'webhook', seconds: 3, steps: 25, commands, begin, end })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
