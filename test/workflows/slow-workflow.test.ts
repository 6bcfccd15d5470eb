import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localTemporal } from '../support/servers/temporal.ts'
import { slow } from './slow.workflow.ts'

const temporal = localTemporal()
const SAMPLE = 20_000_000

it('A worker goes on when the code of a workflow takes longer than five seconds', async () => {
  await slow(SAMPLE)
  const started = performance.now()
  await slow(SAMPLE)
  const rounds = Math.ceil((SAMPLE * 6_000) / (performance.now() - started))
  const worker = await temporal.worker({ workflowsPath: join(import.meta.dirname, 'slow.workflow.ts') })
  await worker.runUntil(async () => {
    const options = { taskQueue: temporal.taskQueue, workflowId: `slow/${randomUUID()}`, workflowTaskTimeout: 100_000 }
    const begun = performance.now()
    const handle = await temporal.client.workflow.start(slow, { ...options, args: [rounds] })
    expect(await handle.result()).toBeTypeOf('number')
    expect(performance.now() - begun).toBeGreaterThan(5_000)
    const { events } = await handle.fetchHistory()
    expect(events!.filter((event) => event?.workflowTaskFailedEventAttributes)).toEqual([])
  })
})
