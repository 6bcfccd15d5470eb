import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { NativeConnection } from '@temporalio/worker'
import { expect, it } from 'vitest'
import { SLOW_SOURCE_MS } from '../../src/collecting/collect-due-sources.ts'
import type { CollectOutcome } from '../../src/collecting/schema.ts'
import type { Context } from '../../src/context.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { collectStarter } from '../../src/temporal/collect-starter.ts'
import { buildWorkers } from '../../src/worker.ts'
import type { CheckReport } from '../../workflows/check-report.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { collectingSystem } from './support.ts'

const database = testDatabase()
const temporal = localTemporal()
const open: ServerResponse[] = []
const system = collectingSystem(database, (_, response) => open.push(response))
const source = `slow-${process.pid}-${Date.now()}`

const queues = { checks: temporal.taskQueue, deliveries: `${temporal.taskQueue}-deliveries` }
const workers = async (connection = temporal.env.nativeConnection) => {
  const config = readConfig({ PRICETAPE_SOURCES: system.file, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' })
  const ctx = {
    sql: database.sql,
    config,
    log: createLog('silent'),
    temporal: temporal.client,
    secretKey: new Uint8Array(32),
    isolation: system.isolation,
  }
  const bundle = await temporal.workflowBundle()
  return buildWorkers(ctx as unknown as Context, connection, { bundle, queues })
}
/** Runs workers until `use` is done. */
async function working(use: () => Promise<void>, connection?: NativeConnection) {
  const started = await workers(connection)
  const running = started.run()
  try {
    await use()
  } finally {
    started.shutdown()
    await running
  }
}
const check = (): Promise<CheckReport> =>
  temporal.client.workflow.execute('check', { taskQueue: queues.checks, workflowId: `check-${randomUUID()}` })

it('a source known to be slow goes on as collect/<source>, once, while the check is over', async () => {
  await system.declare([{ source, format: 'genai-prices', url: `${system.base}/` }]).sources()
  await database.sql`update source set last_duration_ms = ${SLOW_SOURCE_MS + 1}`
  await working(async () => {
    const report = await check()
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

it('slow sources, however many are due at once, keep no check waiting', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `${source}-${n}`)
  await system
    .declare(names.map((name) => ({ source: name, format: 'genai-prices', url: `${system.base}/${name}` })))
    .sources()
  await database.sql`update source set last_duration_ms = ${SLOW_SOURCE_MS + 1}`
  open.length = 0
  await working(async () => {
    expect((await check()).collected).toMatchObject({ slow: { length: 12 } })
    // Two at a time of one host are requested; the others have started and wait for their turn.
    await expect.poll(() => open.length, { timeout: 30_000 }).toBe(2)
    expect((await check()).problems).toEqual([])
    expect(open).toHaveLength(2)
    const ends = setInterval(() => open.splice(0).forEach((response) => void response.end('[]')), 50)
    for (const name of names) await temporal.client.workflow.getHandle(`collect/${name}`).result()
    clearInterval(ends)
  })
})

it('more sources than one worker takes are collected in shards by all workers, each once', async () => {
  const prices = (n: number) => ({
    provider: `p${n}`,
    resource: 'm',
    dimension: 'input_tokens',
    price: '3',
    per: 1_000_000,
  })
  const names = Array.from({ length: 150 }, (_, n) => `shared-${n}`)
  for (const [n, name] of names.entries())
    writeFileSync(
      join(system.folder, `${name}.json`),
      JSON.stringify({ providers: [{ provider: `p${n}`, name: `P ${n}` }], prices: n === 7 ? 'none' : [prices(n)] }),
    )
  await database.sql`update source set declared = false`
  await system.declare(names.map((name) => ({ source: name, format: 'curated', url: `${name}.json` }))).sources()
  const second = await NativeConnection.connect({ address: temporal.env.address })
  const checked = async () => {
    const all: string[] = []
    const failing: string[] = []
    // A check collects for 60 seconds: on a loaded machine the next one takes what is left.
    for (let left = names.length; left > 0; ) {
      const { collected, problems } = await check()
      expect(problems).toEqual([])
      expect(collected!.slow).toEqual([])
      expect(collected!.left).toBe(left - collected!.collected.length)
      left = collected!.left
      // What failed comes first.
      const failed = collected!.collected.filter(({ problem }) => problem !== undefined)
      expect(failed).toEqual(collected!.collected.slice(0, failed.length))
      all.push(...collected!.collected.map(({ source }) => source))
      failing.push(...failed.map(({ source }) => source))
    }
    expect(all).toHaveLength(150)
    expect(new Set(all)).toEqual(new Set(names))
    expect(failing).toEqual(['shared-7'])
  }
  await working(() => working(checked, second))
  await second.close()
  const [row] = await database.sql`
    select count(*)::int as fetches, count(distinct source)::int as sources from source_fetch where source like 'shared-%'`
  expect(row).toEqual({ fetches: 150, sources: 150 })
}, 600_000)
