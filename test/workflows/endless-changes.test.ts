import { randomUUID } from 'node:crypto'
import { Context as Activity } from '@temporalio/activity'
import { expect, it } from 'vitest'
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.ts'
import { localTemporal } from '../support/servers/temporal.ts'

const temporal = localTemporal()

/** Temporal suggests a new run after 4,096 events. */
const LONG = 4_200

it('A webhook that is changed without end is passed on by one run after the other, and no change is lost', async () => {
  const workflowId = `webhook/${randomUUID()}`
  let calls = 0
  let sent = 0
  const passOn = async () => {
    calls++
    const handle = temporal.client.workflow.getHandle(workflowId)
    while (calls === 1 && (await handle.describe()).historyLength < LONG) {
      await Promise.all(Array.from({ length: 100 }, () => handle.signal('resume')))
      sent += 100
      Activity.current().heartbeat()
    }
    return 3
  }
  const worker = await temporal.worker({ activities: { passOn } })
  await worker.runUntil(async () => {
    const options = { taskQueue: temporal.taskQueue, workflowId, args: [{ webhookId: randomUUID() }] }
    const handle = await temporal.client.workflow.signalWithStart('webhook', { ...options, signal: 'pause' })
    expect(await handle.result()).toEqual({ passedOn: 6, changes: 1 + sent })
    const first = await temporal.client.workflow.getHandle(workflowId, handle.signaledRunId).describe()
    expect(first.status.name).toBe('CONTINUED_AS_NEW')
    const last = await temporal.client.workflow.getHandle(workflowId).describe()
    expect(last.status.name).toBe('COMPLETED')
    expect(last.historyLength).toBeLessThan(100)
  })
}, 300_000)

/** It also suggests one after 4 MB, and takes 2 MB in one message. */
const MOST_OF_A_MESSAGE = 'x'.repeat(1_900_000)

it('A delivery whose history is long goes on in a new run, which reads its row first', async () => {
  const deliveryId = randomUUID()
  const workflowId = `delivery/${deliveryId}`
  const runs = new Set<string>()
  let looks = 0
  const lookUp = async (id: string) => {
    expect(id).toBe(deliveryId)
    runs.add(Activity.current().info.workflowExecution!.runId)
    looks++
    return { status: runs.size > 1 ? 'gone' : 'pending', attempts: 1, dueAt: '2100-01-01T00:00:00Z' }
  }
  await ensureSearchAttributes(temporal.env.connection, 'default')
  const worker = await temporal.worker({ activities: { lookUp } })
  await worker.runUntil(async () => {
    const options = { taskQueue: temporal.taskQueue, workflowId, args: [{ deliveryId }] }
    const handle = await temporal.client.workflow.start('delivery', options)
    await expect.poll(() => looks).toBe(1)
    for (let sent = 0; sent < 8 && runs.size === 1; sent++) {
      const before = looks
      await handle.signal('changed', MOST_OF_A_MESSAGE).catch(() => {})
      await expect.poll(() => looks).toBeGreaterThan(before)
    }
    await expect.poll(() => runs.size).toBe(2)
    expect(await handle.result()).toEqual({ status: 'gone', attempts: 1 })
    const first = await temporal.client.workflow.getHandle(workflowId, handle.firstExecutionRunId).describe()
    expect(first.status.name).toBe('CONTINUED_AS_NEW')
  })
})
