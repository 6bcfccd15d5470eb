import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWorkflowNotifier } from '../../src/roles/notify-workflows.ts'
import { newNamespace } from '../monitoring/support.ts'
import { freePort } from '../support/servers/ports.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

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

  it('starts a check before its time, of the schedule that there is', async () => {
    const client = await newNamespace(temporal)
    vi.stubEnv('TEMPORAL_ADDRESS', temporal.env.address)
    vi.stubEnv('TEMPORAL_NAMESPACE', client.options.namespace)
    const action = { type: 'startWorkflow', workflowType: 'check', workflowId: 'check', taskQueue: 'nobody' } as const
    const schedule = await client.schedule.create({ scheduleId: 'check', spec: {}, action })
    await using notifier = createWorkflowNotifier()
    await notifier.startCheck()
    await vi.waitFor(async () => expect((await schedule.describe()).info.numActionsTaken).toBe(1), 10_000)
  })

  it('gives up after two seconds while Temporal is away, and leaves the change to the next check', async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', `127.0.0.1:${await freePort()}`)
    await using notifier = createWorkflowNotifier()
    const started = performance.now()
    await expect(notifier.notifyWebhook({ id: randomUUID(), name: 'Orders' }, 'resume')).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(allowedMs(10_000))
  })
})
