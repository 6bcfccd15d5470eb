import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWorkflowNotifier } from '../../src/roles/notify-workflows.ts'
import { freePort } from '../support/ports.ts'
import { localTemporal } from '../support/temporal.ts'

const temporal = localTemporal()
afterEach(() => vi.unstubAllEnvs())

describe('an API node', () => {
  it('passes a change of a webhook on to its workflow, by a signal that starts it when it does not run', async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', temporal.env.address)
    await using notifier = createWorkflowNotifier()
    const id = randomUUID()
    await notifier.notifyWebhook({ id, name: 'Orders' }, 'resume')
    const handle = temporal.env.client.workflow.getHandle(`webhook/${id}`)
    const { events } = await handle.fetchHistory()
    await handle.terminate()
    expect(events?.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName).filter(Boolean)).toEqual([
      'resume',
    ])
  })

  it('gives up after two seconds while Temporal is away, and leaves the change to the next check', async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', `127.0.0.1:${await freePort()}`)
    await using notifier = createWorkflowNotifier()
    const started = performance.now()
    await expect(notifier.notifyWebhook({ id: randomUUID(), name: 'Orders' }, 'resume')).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
