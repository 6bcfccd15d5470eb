import { describe, expect, it } from 'vitest'
import type { Context } from '../../src/context.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { buildWorkers } from '../../src/worker.ts'
import { collectingSystem } from '../collecting/support.ts'
import { newNamespace } from '../monitoring/support.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'

const [WORKFLOWS, ACTIVITIES] = [1, 2]

describe('the workers of a process', () => {
  const db = testDatabase()
  const temporal = localTemporal()
  const system = collectingSystem(db, (_, response) => void response.end())

  it('bundle the workflows themselves, poll the queues of the product, and take activities on all but that of deliveries', async () => {
    const client = await newNamespace(temporal)
    system.declare([])
    const ctx = {
      sql: db.sql,
      config: readConfig({ PRICETAPE_SOURCES: system.file }),
      log: createLog('silent'),
      temporal: client,
      secretKey: new Uint8Array(32),
      isolation: system.isolation,
    }
    const workers = await buildWorkers(ctx as unknown as Context, temporal.env.nativeConnection)
    const running = workers.run()
    try {
      const report = await client.workflow.execute('check', { taskQueue: 'checks', workflowId: 'a-check' })
      expect(report).toMatchObject({ problems: [] })
      const isPolled = async (name: string, taskQueueType: number) => {
        const { namespace } = client.options
        const queue = { namespace, taskQueue: { name }, taskQueueType }
        return (await temporal.env.connection.workflowService.describeTaskQueue(queue)).pollers.length > 0
      }
      for (const [name, workflows, activities] of [
        ['checks', true, true],
        ['checks-collecting', false, true],
        ['checks-sources', false, true],
        ['deliveries', true, false],
      ] as const) {
        await expect.poll(() => isPolled(name, workflows ? WORKFLOWS! : ACTIVITIES!), { message: name }).toBe(true)
        expect([await isPolled(name, WORKFLOWS!), await isPolled(name, ACTIVITIES!)], name).toEqual([
          workflows,
          activities,
        ])
      }
    } finally {
      workers.shutdown()
      await running
    }
  })
})
