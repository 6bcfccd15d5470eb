import { randomUUID } from 'node:crypto'
import { Context as Activity } from '@temporalio/activity'
import { type Client, ScheduleOverlapPolicy } from '@temporalio/client'
import { describe, expect, it, vi } from 'vitest'
import { collectStarter } from '../../src/temporal/collect-starter.ts'
import { endOrphanedRuns } from '../../src/temporal/orphaned-runs.ts'
import { checkNow, checkSoon } from '../../src/temporal/request-check.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { newNamespace } from './support.ts'

const EVENTUALLY = { timeout: 60_000, interval: 50 }

describe('the runs of schedules', () => {
  const temporal = localTemporal()
  /** A namespace whose runs are workflows with one activity, which ends when the test lets it. */
  async function newSchedules() {
    const client = await newNamespace(temporal)
    const waiting: (() => void)[] = []
    const passOn = () =>
      Promise.race([new Promise<number>((done) => waiting.push(() => done(1))), Activity.current().cancelled])
    const worker = await temporal.worker({ namespace: client.options.namespace, activities: { passOn } })
    return { client, waiting, worker }
  }
  const schedule = (client: Client, scheduleId: string, taskQueue = temporal.taskQueue) =>
    client.schedule.create({
      scheduleId,
      spec: {},
      action: {
        type: 'startWorkflow',
        workflowType: 'webhook',
        workflowId: scheduleId,
        taskQueue,
        args: [{ webhookId: randomUUID(), before: { passedOn: 0, changes: 1, newest: [] } }],
      },
    })

  it('are checks that are requested: after the one that runs, and after a lost schedule is back', async () => {
    const { client, waiting, worker } = await newSchedules()
    await worker.runUntil(async () => {
      const requested = checkNow(client)
      await schedule(client, 'check')
      const first = await requested
      await vi.waitFor(() => expect(waiting).toHaveLength(1), EVENTUALLY)
      // One that runs will do for this.
      await checkSoon(client)
      const second = checkNow(client)
      await new Promise((done) => setTimeout(done, 500))
      expect(waiting).toHaveLength(1)
      waiting[0]!()
      expect(await first.result()).toMatchObject({ passedOn: 1 })
      const handle = await second
      await vi.waitFor(() => expect(waiting).toHaveLength(2), EVENTUALLY)
      waiting[1]!()
      expect(await handle.result()).toMatchObject({ passedOn: 1 })
      const runs = await Promise.all([first, handle].map(async (one) => (await one.describe()).runId))
      expect(new Set(runs).size).toBe(2)
      await expect(checkNow(client, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
      for (const end of waiting) end()
    })
  })

  it('are sources that are slow or wanted by an operator: one run of each at a time, of two hours at most', async () => {
    const source = `slow-${randomUUID()}`
    const start = collectStarter(temporal.client, { checks: temporal.taskQueue, deliveries: 'none' })
    const handle = temporal.client.workflow.getHandle(`collect/${source}`)
    const begun = async () => {
      const { events } = await handle.fetchHistory()
      const { input, taskQueue, workflowExecutionTimeout } = events![0]!.workflowExecutionStartedEventAttributes!
      const args = input!.payloads!.map(({ data }) => JSON.parse(String(data)))
      return { args, queue: taskQueue!.name, seconds: Number(workflowExecutionTimeout!.seconds) }
    }
    await start(source)
    await start(source, { byOperator: true })
    expect(await begun()).toEqual({ args: [source], queue: temporal.taskQueue, seconds: 7_200 })
    await handle.terminate()
    await start(source, { byOperator: true })
    expect((await begun()).args).toEqual([source, { byOperator: true }])
    await handle.terminate()
  })

  it('are ended where their worker is gone, but for retention, and those that wait for no activity', async () => {
    const { client, waiting, worker } = await newSchedules()
    await worker.runUntil(async () => {
      for (const [id, queue] of [['check'], ['retention'], ['unseen', `${temporal.taskQueue}-none`]] as const) {
        await schedule(client, id, queue)
        await client.schedule.getHandle(id).trigger(ScheduleOverlapPolicy.SKIP)
      }
      await vi.waitFor(() => expect(waiting).toHaveLength(2), EVENTUALLY)
      const statuses = () =>
        Promise.all(
          ['check', 'retention', 'unseen'].map(async (id) => {
            const { info } = await client.schedule.getHandle(id).describe()
            const { workflowId } = info.recentActions[0]!.action.workflow
            return (await client.workflow.getHandle(workflowId).describe()).status.name
          }),
        )
      await vi.waitFor(async () => expect(await statuses()).toEqual(['RUNNING', 'RUNNING', 'RUNNING']), EVENTUALLY)
      await vi.waitFor(async () => expect(await endOrphanedRuns(client)).toBe(1), EVENTUALLY)
      expect(await statuses()).toEqual(['TERMINATED', 'RUNNING', 'RUNNING'])
      for (const end of waiting) end()
    })
  })
})
