import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { DeliveryState } from '../../src/webhooks/workflow-schema.ts'
import { timeSkipping } from '../support/servers/temporal.ts'

/** The workflows by themselves, with activities that say what their tests need. */
describe('a workflow that waits', () => {
  const temporal = timeSkipping()
  const start = (type: string, workflowId: string, input: object) =>
    temporal.client.workflow.start(type, { taskQueue: temporal.taskQueue, workflowId, args: [input] })

  it('looks at the row of a due delivery again after six hours without a round', async () => {
    const dueAt = '2020-01-01T00:00:00.000Z'
    const rows = [
      { status: 'pending', attempts: 1, dueAt },
      { status: 'gone', attempts: 1 },
    ] as DeliveryState[]
    let looks = 0
    const worker = await temporal.worker({ activities: { lookUp: async () => rows[looks++] } })
    await worker.runUntil(async () => {
      await start('delivery', `delivery/${randomUUID()}`, { deliveryId: randomUUID() })
      await expect.poll(() => looks).toBe(1)
      await temporal.env.sleep('5h')
      expect(looks).toBe(1)
      await temporal.env.sleep('2h')
      await expect.poll(() => looks).toBe(2)
    })
  })

  it('passes on what is done to a webhook while it passes on another change', async () => {
    const workflowId = `webhook/${randomUUID()}`
    let calls = 0
    const passOn = async () => {
      calls++
      if (calls === 1) await temporal.client.workflow.getHandle(workflowId).signal('resume')
      return 3
    }
    const worker = await temporal.worker({ activities: { passOn } })
    const done = worker.runUntil(async () => {
      const options = { taskQueue: temporal.taskQueue, workflowId, args: [{ webhookId: randomUUID() }] }
      const handle = await temporal.client.workflow.signalWithStart('webhook', { ...options, signal: 'pause' })
      return handle.result()
    })
    expect(await done).toEqual({ passedOn: 6, changes: 2 })
  })

  it('deletes what is old now, and then measures what is served', async () => {
    let asked = ''
    const done: string[] = []
    const deleteOld = async ({ now }: { now: string }) => {
      asked = now
      done.push('deleted')
      return { events: 1 }
    }
    const measureAccuracy = async ({ now }: { now: string }) => {
      expect(now).toBe(asked)
      done.push('measured')
      return { day: now.slice(0, 10), served: 2, contradicted: 1 }
    }
    const worker = await temporal.worker({ activities: { deleteOld, measureAccuracy } })
    const began = await worker.runUntil(async () => {
      const handle = await start('retention', `retention/${randomUUID()}`, {})
      const result = await handle.result()
      expect(result).toEqual({ events: 1, accuracy: { day: asked.slice(0, 10), served: 2, contradicted: 1 } })
      expect(done).toEqual(['deleted', 'measured'])
      return (await handle.describe()).startTime.getTime()
    })
    expect(Date.parse(asked)).toBeGreaterThanOrEqual(began)
    expect(Date.parse(asked)).toBeLessThan(began + 300_000)
  })
})
