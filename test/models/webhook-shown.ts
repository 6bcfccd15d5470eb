import { expect } from 'vitest'
import { epochMs, instantOf } from '../../src/lib/instant.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { deliveryWorkflowId, webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { check } from './webhook-check.ts'
import { forgetOld, type ModelDelivery } from './webhook-model.ts'
import { operatorOf, type Product, pass, type Webhook, type World } from './webhook-world.ts'

type ShownDelivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** What the app shows of every webhook is what the model says. */
export async function compare({ webhooks }: World, { db, system }: Product): Promise<void> {
  const at = await system.now()
  for (const webhook of webhooks) {
    forgetOld(webhook, epochMs(at))
    const [row] = await db.sql`
      select state, failures_in_row as failures, first_failure_at as first from webhook where webhook_id = ${webhook.id}`
    const { state, failures, firstFailureAt } = webhook
    expect(row).toEqual({ state, failures, first: firstFailureAt ? instantOf(firstFailureAt) : null })
    const log = await listDeliveries(db.sql, webhook, at)
    expect(log.length).toBe(Math.min(50, webhook.deliveries.size))
    for (const shown of log) {
      const delivery = webhook.deliveries.get(shown.eventId)!
      expect(delivery, `${shown.eventId} is in the log`).toBeDefined()
      if (delivery.crashedAt === undefined) compareDelivery(shown, delivery)
    }
  }
}

function compareDelivery(shown: ShownDelivery, { status, notSent, cycle, attempts, dueAt }: ModelDelivery): void {
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

/** The workflows of deliveries show the same status to operators, and end with their webhooks. */
export async function end(world: World, product: Product): Promise<void> {
  const { client } = product.system
  const pending = world.webhooks.flatMap(({ deliveries }) =>
    [...deliveries.values()].filter(({ status }) => status === 'pending'),
  )
  await pass(world, product, '5 min')
  await check(world, product, [{ status: 200 }])
  await compare(world, product)
  // The check after the one that did not send a delivery notifies its workflow.
  const isNotified = (delivery: ModelDelivery) => !(delivery.notSent && pending.includes(delivery))
  const running: string[] = []
  for (const webhook of world.webhooks) {
    running.push(...(await compareWorkflows(webhook, product, isNotified)))
    await deleteWebhook(await operatorOf(product), webhook)
    await client.workflow.getHandle(webhookWorkflowId(webhook.id)).result()
  }
  for (const workflowId of running)
    expect(await client.workflow.getHandle(workflowId).result()).toMatchObject({ status: 'gone' })
}

/** Returns the workflows that still run. */
async function compareWorkflows(
  webhook: Webhook,
  { db, system }: Product,
  isNotified: (delivery: ModelDelivery) => boolean,
): Promise<string[]> {
  const running: string[] = []
  for (const shown of await listDeliveries(db.sql, webhook, await system.now())) {
    const delivery = webhook.deliveries.get(shown.eventId)!
    const { status, attempts, notSent } = delivery
    if (attempts.length === 0 || attempts.includes('unknown') || !isNotified(delivery)) continue
    const workflowId = deliveryWorkflowId({ deliveryId: shown.id, eventType: shown.eventType })
    await system.eventually(async () => {
      const seen = await system.client.workflow.getHandle(workflowId).describe()
      const written = seen.searchAttributes.DeliveryStatus?.[0]
      // Without a status it succeeded at its first attempt.
      const ended = written ?? (attempts.length === 1 ? 'succeeded' : undefined)
      expect([seen.status.name, seen.status.name === 'COMPLETED' ? ended : written]).toEqual(
        status === 'pending' ? ['RUNNING', 'retrying'] : ['COMPLETED', notSent ? 'not_sent' : status],
      )
    })
    if (status === 'pending') running.push(workflowId)
  }
  return running
}
