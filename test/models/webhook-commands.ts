import fc from 'fast-check'
import { expect } from 'vitest'
import { epochMs } from '../../src/lib/instant.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { deleteOldDeliveries } from '../../src/webhooks/retention/delete-old-deliveries.ts'
import { webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { TEST_KEY } from '../support/webhooks/deliveries.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { command } from './run-model.ts'
import { check, crashRound, describeReply } from './webhook-check.ts'
import * as model from './webhook-model.ts'
import { compare } from './webhook-shown.ts'
import {
  addWebhook,
  operatorOf,
  type Product,
  pass,
  type Reply,
  secretTools,
  TYPES,
  type Wait,
  type Webhook,
  type World,
  waits,
} from './webhook-world.ts'

const MINUTE = 60_000
const MOST_WEBHOOKS = 3

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
  {
    weight: 1,
    arbitrary: fc.constantFrom<Reply>(...[200, 500].map((status) => ({ status, losesConnections: true as const }))),
  },
  // An answer that never comes takes five seconds. It is possible everywhere, so that a seed is always the same history.
  { weight: 1, arbitrary: fc.constant<Reply>('is silent') },
)

/** What happens, and the comparison after it. */
const step = (name: string, run: (world: World, product: Product) => Promise<void>) =>
  command<World, Product>(name, async (world, product) => {
    await run(world, product)
    await compare(world, product)
  })

export const checkAfter = (wait: Wait, given: Reply[]) =>
  step(`after ${wait} a check (${given.map(describeReply)})`, async (world, product) => {
    await pass(world, product, wait)
    await check(world, product, given)
  })
const checks = fc
  .tuple(waits, fc.array(replies, { minLength: 1, maxLength: 3 }))
  .map(([wait, given]) => checkAfter(wait, given))

export const crash = (claims: number) =>
  step(`a round that crashes (${claims})`, (world, product) => crashRound(world, product, claims))
const crashes = fc.integer({ min: 1, max: 3 }).map(crash)

async function publish(world: World, { db }: Product, pick: number): Promise<void> {
  const type = TYPES[pick % 2]!
  const payload = { n: pick }
  const [id] = await record(db.sql, { type, provider: 'openai', payload, resources: ['m'], document: 'terms' })
  for (const webhook of world.webhooks) model.publish(webhook, id!, type)
}

export const event = step('an event', (world, product) => publish(world, product, 0))

/** An event and checks that all fail. */
export const outage = (count: number, wait: Wait) =>
  step(`an outage of ${count} checks, each after ${wait}`, async (world, product) => {
    await publish(world, product, 0)
    for (let n = 0; n < count; n++) {
      await pass(world, product, wait)
      await check(world, product, [{ status: 500 }])
      await compare(world, product)
    }
  })
const outages = fc
  .tuple(fc.integer({ min: 3, max: 6 }), fc.constantFrom<Wait>('8 h', 'a day', 'a day'))
  .map(([count, wait]) => outage(count, wait))

type Act = (webhook: Webhook, world: World, product: Product, pick: number) => Promise<void>
/** An action on one of the webhooks, and the comparison after it. */
const action = (
  name: string,
  act: Act,
  isPossible: (world: Readonly<World>) => boolean = ({ webhooks }) => webhooks.length > 0,
) =>
  fc.tuple(fc.nat(MOST_WEBHOOKS - 1), fc.nat(1_000)).map(([which, pick]) => ({
    ...step(`${name} (${which}, ${pick})`, (world, product) =>
      act(world.webhooks[which % Math.max(1, world.webhooks.length)]!, world, product, pick),
    ),
    check: isPossible,
  }))

/** Whether an action was refused because the webhook is paused, as it must be then and only then. */
async function isRefused(webhook: Webhook, done: Promise<unknown>): Promise<boolean> {
  if (webhook.state === 'paused') await expect(done).rejects.toMatchObject({ code: 'webhook_paused', status: 409 })
  else await done
  return webhook.state === 'paused'
}

const pausing = [
  action('pause', async (webhook, _world, product) => {
    await pauseWebhook(await operatorOf(product), webhook, 'Paused by hand.')
    model.pause(webhook)
  }),
  action('resume', async (webhook, _world, product) => {
    await resumeWebhook(await operatorOf(product), webhook)
    model.resume(webhook)
  }),
  action('resume and resend', async (webhook, _world, product) => {
    const by = await operatorOf(product)
    model.forgetOld(webhook, epochMs(by.now))
    expect(await resumeAndResend(by, webhook)).toEqual({ resent: model.resumeAndResend(webhook, epochMs(by.now)) })
  }),
]

const sending = [
  action('resend', async (webhook, _world, product, pick) => {
    const by = await operatorOf(product)
    const log = await listDeliveries(product.db.sql, webhook, by.now)
    if (log.length === 0) return
    const { id, eventId } = log[pick % log.length]!
    if (await isRefused(webhook, resendDelivery(by, webhook, id))) return
    model.resend(webhook.deliveries.get(eventId)!, epochMs(by.now))
  }),
  action('send a test', async (webhook, _world, product) => {
    const by = await operatorOf(product)
    const eventId = `test_${webhook.id}_${Math.floor(epochMs(by.now) / MINUTE)}`
    if (await isRefused(webhook, sendTestEvent(by, webhook))) return
    model.sendTest(webhook, eventId, epochMs(by.now))
  }),
  action('delete what is old', async (_webhook, world, { db, system }) => {
    const at = await system.now()
    await deleteOldDeliveries(db.sql, at, 1_000)
    for (const webhook of world.webhooks) model.forgetOld(webhook, epochMs(at))
  }),
]

const editUrl: Act = async (webhook, world, product) => {
  const path = `/hook-${world.paths++}`
  const url = new URL(path, product.system.receiver.url).href
  await editWebhook(await operatorOf(product), secretTools, webhook, { url })
  webhook.path = path
  model.restartCount(webhook)
}
export const otherUrl = step('another URL', (world, product) => editUrl(world.webhooks[0]!, world, product, 0))

const editing = [
  action('edit the URL', editUrl),
  action('edit the event types', async (webhook, _world, product, pick) => {
    const eventTypes = pick % 3 === 0 ? [...TYPES] : [TYPES[pick % 2]!]
    await editWebhook(await operatorOf(product), secretTools, webhook, { eventTypes })
    webhook.eventTypes = eventTypes
  }),
  action('rotate the secret', async (webhook, _world, { db, system }) => {
    const at = await system.now()
    const { secret } = await rotateSecret(db.sql, TEST_KEY, webhook, at)
    model.rotate(webhook, secret, epochMs(at))
  }),
  action(
    'create a webhook',
    (_webhook, world, product) => addWebhook(world, product),
    ({ webhooks }) => webhooks.length < MOST_WEBHOOKS,
  ),
  action(
    'delete the webhook',
    async (webhook, world, product) => {
      await deleteWebhook(await operatorOf(product), webhook)
      world.webhooks.splice(world.webhooks.indexOf(webhook), 1)
      await product.system.client.workflow.getHandle(webhookWorkflowId(webhook.id)).result()
    },
    ({ webhooks }) => webhooks.length > 1,
  ),
]

const events = action('an event', (_webhook, world, product, pick) => publish(world, product, pick))

/** Everything that may happen to webhooks, as often as it stands here. */
export const commands = [
  ...[checks, checks, checks, checks, checks, events, events, events, outages, crashes],
  ...[...pausing, ...sending, ...editing],
]
