import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { createActivities } from '../../activities/index.ts'
import { SLOW_SOURCE_MS } from '../../src/collecting/collect-due-sources.ts'
import type { CollectOutcome } from '../../src/collecting/schema.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { collectStarter } from '../../src/temporal/collect-starter.ts'
import type { CheckReport } from '../../workflows/check-report.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/temporal.ts'
import { collectingSystem } from './support.ts'

const database = testDatabase()
const temporal = localTemporal()
const open: ServerResponse[] = []
const system = collectingSystem(database, (_, response) => open.push(response))
const source = `slow-${process.pid}-${Date.now()}`

it('a source known to be slow goes on as collect/<source>, once, while the check is over', async () => {
  const queues = { checks: temporal.taskQueue, deliveries: temporal.taskQueue }
  await system.declare([{ source, format: 'genai-prices', url: `${system.base}/` }]).sources()
  const config = readConfig({ PRICETAPE_SOURCES: system.file, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' })
  await database.sql`update source set last_duration_ms = ${SLOW_SOURCE_MS + 1}`
  const ctx = {
    sql: database.sql,
    config,
    log: createLog('silent'),
    temporal: temporal.client,
    secretKey: new Uint8Array(32),
    isolation: system.isolation,
  }
  const worker = await temporal.worker({ activities: createActivities(ctx, queues) })
  await worker.runUntil(async () => {
    const report: CheckReport = await temporal.client.workflow.execute('check', {
      taskQueue: temporal.taskQueue,
      workflowId: `check-${source}`,
    })
    expect(report.problems).toEqual([])
    expect(report.collected).toEqual({ collected: [], slow: [source], left: 0 })
    await expect.poll(() => open.length, { timeout: 30_000 }).toBe(1)
    await collectStarter(temporal.client, queues)(source)
    const list = JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }])
    open[0]!.end(list)
    const outcome: CollectOutcome = await temporal.client.workflow.getHandle(`collect/${source}`).result()
    expect(outcome).toMatchObject({ outcome: 'changed', published: 1 })
    expect(open).toHaveLength(1)

    // An operator wants it read now, though it is not due.
    await collectStarter(temporal.client, queues)(source, { byOperator: true })
    await expect.poll(() => open.length, { timeout: 30_000 }).toBe(2)
    open[1]!.end(list)
    const again: CollectOutcome = await temporal.client.workflow.getHandle(`collect/${source}`).result()
    expect(again).toMatchObject({ source, outcome: 'unchanged' })
  })
})
