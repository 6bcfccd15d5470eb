import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { collectActivities } from '../../activities/collect.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { claimSource } from '../../src/catalog/sources/source-store.ts'
import { readConfig } from '../../src/lib/config.ts'
import { DAY, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import { collectingSystem } from '../collecting/support.ts'
import { model } from '../prices/observed.ts'
import { declareLists, snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'

const PRICES = JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }])

const database = testDatabase({ each: true })
/** Requests that wait for an answer; without a list they are answered at once. */
let held: ServerResponse[] | undefined
const system = collectingSystem(database, (_, response) => {
  if (held) held.push(response)
  else response.end(PRICES)
})
const { get, close } = createSafeFetch({ allowPrivate: true })
let lines: { msg: string; source?: string; outcome?: string }[] = []
let started: string[] = []
beforeEach(() => {
  held = undefined
  lines = []
  started = []
})
afterEach(() => void vi.useRealTimers())
afterAll(close)

function activities(sources: object[]) {
  system.declare(sources)
  const ctx = {
    sql: database.sql,
    config: readConfig({ PRICETAPE_SOURCES: system.file, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' }),
    log: createLog('info', 'json', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    isolation: system.isolation,
  }
  const startCollecting = async (source: string) => void started.push(source)
  return collectActivities(ctx as never, { get, startCollecting, record: createWorkRecorder(ctx) })
}
const list = (source: string, base = system.base) => ({ source, format: 'genai-prices', url: `${base}/${source}` })
const run = <I, O>(work: (input: I) => Promise<O>, input: I) =>
  new MockActivityEnvironment().run(work, input) as Promise<O>
const now = (off = 0): Instant => instantOf(Date.now() + off)
const collected = () => lines.filter(({ msg }) => msg === 'source collected')

it('collects what is due, notes each source, and hands slow ones to workflows of their own', async () => {
  const { collectDueSources } = activities([list('acme'), list('slow')])
  await run(collectDueSources, { now: now(), budgetMs: 0 })
  await database.sql`update source set last_duration_ms = 20001 where source = 'slow'`
  expect(await run(collectDueSources, { now: now(), budgetMs: 60_000 })).toMatchObject({
    collected: [{ source: 'acme', outcome: 'changed', published: 1 }],
    slow: ['slow'],
    left: 0,
  })
  expect(started).toEqual(['slow'])
  expect(collected()).toMatchObject([{ source: 'acme', outcome: 'changed' }])
})

it('counts what a part of the sources waited for a worker as time that is over, and nothing of one not divided', async () => {
  const { collectDueSources } = activities([list('acme')])
  const due = { now: now(-59_000), budgetMs: 60_000 }
  const shard = { index: 0, of: 1 }
  expect(await run(collectDueSources, { ...due, shard })).toMatchObject({ collected: [], left: 1 })
  // The clock of the server is ahead of this machine's.
  const early = { now: now(60_000), budgetMs: 1_000, shard }
  expect(await run(collectDueSources, early)).toMatchObject({ collected: [], left: 1 })
  const read = { collected: [{ source: 'acme' }], left: 0 }
  expect(await run(collectDueSources, { ...due, now: now(), shard })).toMatchObject(read)
  await database.sql`update source set next_due_at = '2020-01-01T00:00:00Z'`
  expect(await run(collectDueSources, due)).toMatchObject(read)
})

it('divides what is more than one worker takes only where that is asked for', async () => {
  const { collectDueSources } = activities(Array.from({ length: 101 }, (_, n) => list(`many-${n}`)))
  const due = { now: now(), budgetMs: 0 }
  expect(await run(collectDueSources, { ...due, mayDivide: true })).toMatchObject({ left: 0, shards: 2 })
  expect(await run(collectDueSources, due)).toEqual({ collected: [], slow: [], left: 101 })
})

it('says of each source that it could not be read, unless nothing on the internet can be', async () => {
  const away = activities([list('one', 'http://127.0.0.1:1'), list('two', 'http://127.0.0.2:1')])
  const { noInternet } = await run(away.collectDueSources, { now: now(), budgetMs: 60_000 })
  expect(noInternet).toMatch(/none of 2 sources/)
  expect(collected()).toEqual([])
  const alone = activities([list('three', 'http://127.0.0.3:1')])
  await run(alone.collectDueSources, { now: now(), budgetMs: 60_000 })
  expect(collected()).toMatchObject([{ source: 'three', outcome: 'failed' }])
})

it('reads a source for an operator that ended its reader twice, and for no check', async () => {
  const { collectSource } = activities([list('acme')])
  await run(activities([list('acme')]).collectDueSources, { now: now(), budgetMs: 0 })
  const begin = now()
  for (const after of [0, 5 * MINUTE]) {
    const at = plus(begin, after)
    const claim = { source: 'acme', id: randomUUID(), now: at, until: plus(at, 2 * MINUTE) }
    expect(await claimSource(database.sql, claim)).toBeDefined()
  }
  const source = { source: 'acme', now: plus(begin, 10 * MINUTE) }
  expect(await run(collectSource, source)).toMatchObject({ outcome: 'quarantined' })
  expect(await run(collectSource, { ...source, byOperator: true })).toMatchObject({ outcome: 'changed' })
  expect(collected().map(({ outcome }) => outcome)).toEqual(['quarantined', 'changed'])
})

it('compares what lists say once every part was collected', async () => {
  const { compareSources } = activities([])
  const lists = ['first', 'second', 'third'].map((source) => sourceDeclaration.parse({ source, format: source }))
  await declareLists(database.sql, lists)
  const begin = now(-9 * DAY)
  for (const [n, source] of lists.entries())
    await snapshot(database.sql, source.source, model('m', 0.000001), { source, at: plus(begin, n) })
  for (const [n, source] of lists.slice(1).entries())
    await snapshot(database.sql, source.source, model('m', 0.0000012), { source, at: plus(begin, DAY + n) })
  await compareSources({ now: plus(begin, 4 * DAY) })
  expect(await database.sql`select count(*)::int as lines from contradicted_line`).toEqual([{ lines: 2 }])
})

it('says every five seconds what it is doing, stops where it is cancelled, and leaves no timer', async () => {
  const { collectSource } = activities([list('acme'), list('before')])
  // The client has a timer of its own from its first request on.
  await run(collectSource, { source: 'before', now: now() })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = vi.getTimerCount()
  held = []
  const environment = new MockActivityEnvironment()
  const heartbeats: unknown[] = []
  environment.on('heartbeat', (doing) => heartbeats.push(doing))
  const work = environment.run(collectSource, { source: 'acme', now: now() }).catch((error: Error) => error.name)
  // Not `expect.poll`, which lets the time of these timers pass.
  while (held.length === 0) await sleep(5)
  vi.advanceTimersByTime(4_999)
  expect(heartbeats).toEqual([])
  vi.advanceTimersByTime(1)
  expect(heartbeats).toEqual(['acme: fetching'])
  vi.advanceTimersByTime(5_000)
  expect(heartbeats).toHaveLength(2)
  environment.cancel()
  expect(await work).not.toMatchObject({ outcome: 'changed' })
  expect(vi.getTimerCount()).toBe(timers)
})
