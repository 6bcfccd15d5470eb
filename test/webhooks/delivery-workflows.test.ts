import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts'
import { createDeliveryWorkflows, type DeliveryWorkflows } from '../../src/webhooks/rounds/delivery-workflows.ts'
import type { ClaimedDelivery } from '../../src/webhooks/rounds/round-store.ts'
import { localTemporal } from '../support/servers/temporal.ts'

describe('the workflows of deliveries', () => {
  const temporal = localTemporal()
  let workflows: DeliveryWorkflows
  const begun: string[] = []
  beforeAll(async () => {
    await ensureSearchAttributes(temporal.env.connection, 'default')
    const queues = { checks: temporal.taskQueue, deliveries: `${temporal.taskQueue}-deliveries` }
    // As a worker has it: over the connection that it polls on.
    workflows = createDeliveryWorkflows(new Client({ connection: temporal.env.nativeConnection }), queues)
  })
  afterEach(async () => {
    for (const id of begun.splice(0))
      await temporal.client.workflow
        .getHandle(id)
        .terminate()
        .catch(() => {})
  })

  function newDelivery(more: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
    const deliveryId = randomUUID()
    begun.push(more.workflowId ?? `delivery/price.changed/${deliveryId}`)
    const names = { webhookName: 'Orders', workspaceName: 'Acme', eventId: 'evt_1', eventType: 'price.changed' }
    return { deliveryId, webhookId: randomUUID(), ...names, grant: grant(1), waiting: false, ...more }
  }
  const grant = (number: number) => ({ cycle: 1, number, run: 1 })
  /** What a workflow was started with, and its signals since. */
  async function story({ deliveryId, workflowId = `delivery/price.changed/${deliveryId}` }: ClaimedDelivery) {
    const handle = temporal.client.workflow.getHandle(workflowId)
    const { events } = await handle.fetchHistory()
    const parsed = (payloads: { data?: Uint8Array | null }[] | null | undefined) =>
      JSON.parse(String(payloads?.[0]?.data))
    const started = events![0]!.workflowExecutionStartedEventAttributes!
    const signals = events!.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal ? [[signal.signalName, parsed(signal.input?.payloads)]] : [],
    )
    const { searchAttributes } = await handle.describe()
    return {
      input: parsed(started.input?.payloads),
      queue: started.taskQueue!.name,
      status: searchAttributes.DeliveryStatus?.[0],
      webhook: searchAttributes.WebhookId?.[0],
      signals,
    }
  }

  it('begin with the attempt that a round grants, without a status', async () => {
    const delivery = newDelivery()
    expect(await workflows.grant(delivery)).toEqual({ here: false })
    expect(await story(delivery)).toEqual({
      input: { deliveryId: delivery.deliveryId, grant: grant(1), statusless: true },
      queue: `${temporal.taskQueue}-deliveries`,
      status: undefined,
      webhook: delivery.webhookId,
      signals: [],
    })
  })

  it('get the next attempt where they wait, and begin with it where they do not', async () => {
    const delivery = newDelivery()
    await workflows.start(delivery)
    expect(await workflows.grant({ ...delivery, waiting: true, grant: grant(2) })).toEqual({ here: false })
    expect(await story(delivery)).toMatchObject({
      input: { deliveryId: delivery.deliveryId },
      status: 'pending',
      signals: [['grant', grant(2)]],
    })
    const lost = newDelivery({ waiting: true, grant: grant(3) })
    await workflows.grant(lost)
    expect(await story(lost)).toMatchObject({ input: { deliveryId: lost.deliveryId, grant: grant(3) }, signals: [] })
  })

  it('are never two of one delivery: one that runs gets the signal, also under an older name', async () => {
    for (const delivery of [newDelivery(), newDelivery({ workflowId: `delivery/${randomUUID()}` })]) {
      await workflows.grant(delivery)
      await workflows.grant({ ...delivery, grant: grant(2) })
      await workflows.start(delivery)
      await workflows.changed(delivery, 'the webhook was paused')
      expect((await story(delivery)).signals).toEqual([
        ['grant', grant(2)],
        ['changed', 'the webhook was paused'],
      ])
    }
  })

  it('begin in the process of the round where that has a worker, which then reports the attempt', async () => {
    const attempt = async () => ({ status: 'succeeded', attempts: 1 })
    const worker = await temporal.worker({ taskQueue: `${temporal.taskQueue}-deliveries`, activities: { attempt } })
    await worker.runUntil(async () => {
      const delivery = newDelivery()
      expect(await workflows.grant(delivery)).toEqual({ here: true })
      const handle = temporal.client.workflow.getHandle(`delivery/price.changed/${delivery.deliveryId}`)
      expect(await handle.result()).toEqual({ status: 'succeeded', attempts: 1 })
    })
  })

  it('need not be there for a change of a delivery that has ended', async () => {
    await workflows.changed(newDelivery(), 'the webhook was paused')
  })

  it('say that Temporal refuses what is wrong, and do not hide it', async () => {
    const wrong = newDelivery({ deliveryId: 'x'.repeat(2_000) })
    await expect(workflows.grant(wrong)).rejects.toThrow()
    await expect(workflows.start(wrong)).rejects.toThrow()
    const running = newDelivery()
    await workflows.start(running)
    // More than a message may have.
    await expect(workflows.changed(running, 'x'.repeat(2_500_000))).rejects.toThrow()
  })
})
