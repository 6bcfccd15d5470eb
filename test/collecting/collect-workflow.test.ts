import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { SLOW_SOURCE_MS } from '../../src/collecting/collect-due-sources.ts'
import type { CollectOutcome } from '../../src/collecting/schema.ts'
import { collectStarter } from '../../src/temporal/collect-starter.ts'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { checkWorkers } from './check-workers.ts'
import { collectingSystem } from './support.ts'

const database = testDatabase()
const temporal = localTemporal()
const open: ServerResponse[] = []
const system = collectingSystem(database, (_, response) => open.push(response))
const source = `slow-${process.pid}-${Date.now()}`

const { check, queues, working } = checkWorkers(database, temporal, system)

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
