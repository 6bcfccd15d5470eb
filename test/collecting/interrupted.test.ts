import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { claimSource, sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { collectNamedSources } from '../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import { type Instant, MINUTE, parseInstant, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

const name = 'deadly'
const database = testDatabase({ each: true })
const READER = fileURLToPath(new URL('./interrupted-reader.ts', import.meta.url))
const CLAIM_MS = 2 * MINUTE
const start = parseInstant('2026-11-21T10:00:00Z')!
const PRICES = JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }])

/** Requests that wait for an answer, by path; a path without an entry is answered at once. */
const waiting = new Map<string, ServerResponse[]>()
let open: string[] = []
const system = collectingSystem(database, (request, response) => {
  const path = request.url!
  open.push(path)
  response.once('close', () => {
    open = open.filter((other) => other !== path)
  })
  const held = waiting.get(path)
  if (held) held.push(response)
  else setTimeout(() => response.end(PRICES), 100)
})
let collecting: Collecting

beforeEach(() => {
  waiting.clear()
  declare([name])
})

function declare(names: string[]) {
  const sources = names.map((source) => ({ source, format: 'genai-prices', url: `${system.base}/${source}` }))
  collecting = system.declare(sources)
}

/** Starts a worker that reads the source, and kills it with SIGKILL while it does. */
async function killReader(at: Instant) {
  const held: ServerResponse[] = []
  waiting.set(`/${name}`, held)
  const reader = spawn(process.execPath, ['--import', 'tsx', READER, database.url, system.file, name, at], {
    stdio: 'inherit',
  })
  await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1)
  reader.kill('SIGKILL')
  await once(reader, 'exit')
  waiting.delete(`/${name}`)
}
/** Leaves what a killed worker leaves, as the first test proves: starting one takes two seconds of processor time. */
const leaveClaim = async (at: Instant) => {
  await collecting.sources()
  const taken = await claimSource(database.sql, { source: name, id: randomUUID(), now: at, until: plus(at, CLAIM_MS) })
  expect(taken).toBeDefined()
}
const check = (now: Instant) =>
  collectDueSources(collecting, now, { budgetMs: 60_000, startCollecting: async () => {} })
const state = () => sourceState(database.sql, name)
const left = async () => {
  const [row] = await database.sql<{ collectingUntil: string; readingSince: string; hash: string | null }[]>`
    select collecting_until as "collectingUntil", reading_since as "readingSince", reading_hash as hash
    from source where source = ${name} and claim is not null`
  return row
}

describe('a source that was being read when its worker was killed', () => {
  it('is left alone while the claim may be alive, then tried once more', async () => {
    await killReader(start)
    const { collectingUntil, readingSince, hash } = (await left())!
    expect([readingSince, hash]).toEqual([start, null])
    expect(Date.parse(collectingUntil) - Date.parse(start)).toBeGreaterThanOrEqual(CLAIM_MS)
    expect(Date.parse(collectingUntil) - Date.parse(start)).toBeLessThan(CLAIM_MS + MINUTE)
    expect((await check(plus(start, MINUTE))).collected).toEqual([])
    const report = await check(plus(start, 5 * MINUTE))
    expect(report.collected).toMatchObject([{ source: name, outcome: 'changed' }])
    expect(await state()).toMatchObject({ interruptions: 0, failures: 0 })
    expect((await state())?.collectingUntil).toBeUndefined()
  })

  it('is tried after all other sources, with nothing beside it', async () => {
    const others = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${name}-${letter}`)
    declare([name, ...others])
    await leaveClaim(start)
    const held: ServerResponse[] = []
    waiting.set(`/${name}`, held)
    const running = check(plus(start, 5 * MINUTE))
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1)
    const besideIt = [...open]
    held[0]!.end(PRICES)
    const report = await running
    expect(besideIt).toEqual([`/${name}`])
    expect(report.collected.map(({ source }) => source).at(-1)).toBe(name)
    expect(report.collected).toHaveLength(6)
  })

  it('is quarantined when it happens twice, with a reason and a wait; an operator can read it', async () => {
    await killReader(start)
    const second = plus(start, 5 * MINUTE)
    await killReader(second)
    const third = plus(start, 10 * MINUTE)
    const report = await check(third)
    expect(report.collected).toMatchObject([
      { source: name, outcome: 'quarantined', problem: expect.stringMatching(/ended 2 times before it was done/) },
    ])
    expect(await state()).toMatchObject({
      problem: expect.stringContaining(`source collect ${name}`),
      nextDueAt: plus(third, 5 * MINUTE),
      failures: 1,
      interruptions: 2,
    })
    expect((await check(plus(third, MINUTE))).collected).toEqual([])
    expect(await collectNamedSources(collecting, [name])).toMatchObject([{ outcome: 'changed' }])
    expect(await state()).toMatchObject({ interruptions: 0, failures: 0 })
  })
})
