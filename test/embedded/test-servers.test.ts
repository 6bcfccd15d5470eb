import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../src/lib/instant.ts'
import { localTemporal, timeSkipping } from '../support/servers/temporal.ts'

const workflowsPath = fileURLToPath(new URL('./nap.workflow.ts', import.meta.url))

describe('the time-skipping server', () => {
  const temporal = timeSkipping()

  it('lets days of waiting pass in seconds', async () => {
    const worker = await temporal.worker({ workflowsPath })
    const options = { taskQueue: temporal.taskQueue, workflowId: randomUUID(), args: [35 * HOUR] }
    const began = await temporal.env.currentTimeMs()
    await expect(worker.runUntil(temporal.client.workflow.execute('nap', options))).resolves.toBe('rested')
    expect((await temporal.env.currentTimeMs()) - began).toBeGreaterThanOrEqual(35 * HOUR)
  })
})

describe('the shared dev server', () => {
  const temporal = localTemporal()

  it('finds workflows by our search attributes', async () => {
    const worker = await temporal.worker({ workflowsPath })
    const workflowId = randomUUID()
    await worker.runUntil(
      temporal.client.workflow.execute('nap', { taskQueue: temporal.taskQueue, workflowId, args: [1] }),
    )
    const query = `DeliveryStatus = 'napping' and WorkflowId = '${workflowId}'`
    await vi.waitFor(
      async () => expect(await temporal.client.workflow.count(query)).toMatchObject({ count: 1 }),
      10_000,
    )
  })
})
