import { randomUUID } from 'node:crypto'
import { Context as Activity } from '@temporalio/activity'
import { expect, it } from 'vitest'
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
