import { Writable } from 'node:stream'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { type Child, startChild, untilReady } from '../../src/embedded/process/child.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { LOOPBACK, portAnswers } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { newestCheckRun } from '../../src/monitoring/check-run-store.ts'
import { prepareTemporal } from '../../src/monitoring/prepare-temporal.ts'
import { watchWork } from '../../src/monitoring/watch-work.ts'
import { lazyConnection } from '../../src/temporal/connect.ts'
import { buildWorkers } from '../../src/worker.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { startReceiver } from '../support/servers/receiver.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'

const db = testDatabase()
const temporal = localTemporal()

/** A Temporal server in memory: when it ends, its store is lost. Knows no search attribute of ours. */
async function startServer(port: number): Promise<Child> {
  const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
  const binary = await temporalBinary(settings, silent)
  const args = ['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port), '--log-level', 'error']
  const server = await startChild(binary, args, { stop: [['SIGKILL', 1_000]] })
  if (!(await untilReady(server, () => isHealthy(port), 60_000))) throw new Error(server.lines.slice(-5).join(' '))
  return server
}

async function isHealthy(port: number): Promise<boolean> {
  if (!(await portAnswers(port))) return false
  const connection = lazyConnection({ connection: { address: `${LOOPBACK}:${port}` } })
  try {
    await connection.workflowService.describeNamespace({ namespace: 'default' })
    return true
  } catch {
    return false
  } finally {
    await connection.close()
  }
}

it('a lost Temporal store recovers within 60 seconds: a check runs, and what is pending is delivered', async () => {
  const port = await freePort()
  const address = `${LOOPBACK}:${port}`
  let server = await startServer(port)
  const receiver = await startReceiver()
  const lines: { level: number; msg: string }[] = []
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk, _, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    }),
  )
  const connection = lazyConnection({ connection: { address } })
  const client = new Client({ connection })
  const ctx = testContext(db.sql, client)
  const polling = await NativeConnection.connect({ address })
  const schedules = await prepareTemporal({ sql: db.sql, connection, temporal: client, checkIntervalMs: 300_000 })
  const workers = await buildWorkers(ctx, polling, { bundle: await temporal.workflowBundle() })
  const running = workers.run()
  const watch = watchWork({ sql: db.sql, client, connection, log, schedules })
  try {
    const hook = await addWebhook(db.sql, { url: receiver.url, at: instantOf(Date.now()) })
    await server.stop()
    await addDeliveries(db.sql, hook, { at: instantOf(Date.now()) })
    server = await startServer(port)

    const lostAt = Date.now()
    await receiver.received(1)
    await expect.poll(() => newestCheckRun(db.sql), { timeout: 20_000 }).toBeDefined()
    expect(Date.now() - lostAt).toBeLessThan(60_000)
    const lost = lines.filter(({ msg }) => msg.startsWith('Temporal had lost its store: '))
    expect(lost).toHaveLength(1)
    const { memo } = await client.schedule.getHandle('check').describe()
    expect(memo).toEqual({ installation: schedules.installationId })
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(['WebhookId', 'DeliveryStatus']))
  } finally {
    await watch[Symbol.asyncDispose]()
    workers.shutdown()
    await running
    await polling.close()
    await connection.close()
    await receiver.close()
    await ctx.isolation[Symbol.asyncDispose]()
    await server.stop()
  }
})
