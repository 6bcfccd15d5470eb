import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collectStarter } from '../../activities/collect-starter.ts'
import { createActivities } from '../../activities/index.ts'
import { declareSources } from '../../src/catalog/source-store.ts'
import { SLOW_SOURCE_MS } from '../../src/collecting/collect-due-sources.ts'
import type { CollectOutcome } from '../../src/collecting/schema.ts'
import { readSources } from '../../src/collectors/sources-file.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createIsolation } from '../../src/lib/isolation/isolation.ts'
import { createLog } from '../../src/lib/log.ts'
import type { CheckReport } from '../../workflows/check-report.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/temporal.ts'

const database = testDatabase()
const temporal = localTemporal()
const folder = mkdtempSync(join(tmpdir(), 'pricetape-sources-'))
const open: ServerResponse[] = []
const server = createServer((_, response) => {
  open.push(response)
})
const source = `slow-${process.pid}-${Date.now()}`

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const sources = [{ source, format: 'genai-prices', url }]
  writeFileSync(join(folder, 'sources.json'), JSON.stringify({ sources }))
})
const isolation = createIsolation()
afterAll(async () => {
  await isolation[Symbol.asyncDispose]()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true })
})

it('a source known to be slow goes on as collect/<source>, once, while the check is over', async () => {
  const queues = { checks: temporal.taskQueue, deliveries: temporal.taskQueue }
  const config = readConfig({
    PRICETAPE_SOURCES: join(folder, 'sources.json'),
    PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
  })
  const declared = readSources(config.sourcesFile).enabled
  await declareSources(database.sql, declared)
  await database.sql`update source set last_duration_ms = ${SLOW_SOURCE_MS + 1}`
  const ctx = {
    sql: database.sql,
    config,
    log: createLog('silent'),
    temporal: temporal.client,
    secretKey: new Uint8Array(32),
    isolation,
  }
  const worker = await temporal.worker({ activities: createActivities(ctx, queues) })
  await worker.runUntil(async () => {
    const report: CheckReport = await temporal.client.workflow.execute('check', {
      taskQueue: temporal.taskQueue,
      workflowId: `check-${source}`,
    })
    expect(report.problems).toEqual([])
    expect(report.collected).toEqual({ collected: [], slow: [source], left: 0 })
    await expect.poll(() => open.length, { timeout: 10_000 }).toBe(1)
    await collectStarter(temporal.client, queues)(source)
    open[0]!.end(JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }]))
    const outcome: CollectOutcome = await temporal.client.workflow.getHandle(`collect/${source}`).result()
    expect(outcome).toMatchObject({ outcome: 'changed', published: 1 })
    expect(open).toHaveLength(1)
  })
}, 20_000)
