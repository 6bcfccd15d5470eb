import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { createCollecting } from '../../src/collecting/collecting.ts'
import { listSources, listUndeclared } from '../../src/collecting/list-sources.ts'
import { readConfig } from '../../src/lib/config.ts'
import { DAY, HOUR, type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

type Line = { msg: string; first?: string; source?: string; sources?: string[]; endsAt?: string; resources?: number }

const db = testDatabase({ each: true })
const folder = mkdtempSync(join(tmpdir(), 'pricetape-logged-'))
const { get, close } = createSafeFetch({ allowPrivate: true })
let logged: Line[] = []
let handed: string[] = []
beforeEach(() => {
  logged = []
  handed = []
})
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

const write = (name: string, prices: object[] = []) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ providers: [], prices }))
const price = (resource: string) => ({
  ...{ provider: 'acme', resource, dimension: 'input_tokens', price: '3', per: 1_000_000 },
})
const file = (source: string, more: object = {}) => ({ source, format: 'curated', url: `${source}.json`, ...more })
const system = (sources: object[], env: Record<string, string> = {}) => {
  const list = join(folder, 'sources.json')
  writeFileSync(list, JSON.stringify({ sources }))
  const log = createLog('info', 'json', { write: (line) => void logged.push(JSON.parse(line)) })
  const config = readConfig({ PRICETAPE_SOURCES: list, ...env })
  return createCollecting({ config, log, sql: db.sql, isolation }, get, { spacingMs: 1 })
}
const NOW = instantOf(Date.now())
const check = (sources: object[], { at = NOW as Instant, budgetMs = 60_000, mayDivide = false, env = {} } = {}) =>
  collectDueSources(system(sources, env), at, {
    ...{ budgetMs, mayDivide },
    startCollecting: async (source) => void handed.push(source),
  })
const messages = () => logged.map(({ msg }) => msg)

describe('a check says in the log', () => {
  it('how many sources need attention, with the first problem, and nothing when all is well', async () => {
    write('good', [price('m')])
    await check([file('good')])
    expect(messages()).toEqual([])
    await check([file('good'), file('lost'), file('away')], { at: plus(NOW, HOUR) })
    expect(messages()).toEqual(['2 of 3 sources checked need attention: npx pricetape source list'])
    expect(logged[0]!.first).toMatch(/(lost|away)\.json/)
  })

  it('that there is no internet, once, and beside it only what is wrong with files', async () => {
    const remote = (host: string) => ({ source: host, format: 'models-dev', url: `http://${host}:1/` })
    const report = await check([remote('127.0.0.1'), remote('127.0.0.2'), file('lost')])
    expect(report.noInternet).toMatch(/none of 2 sources could be reached/)
    expect(messages()).toEqual([report.noInternet, '1 of 3 sources checked need attention: npx pricetape source list'])
    expect(logged[0]!.first).toMatch(/127\.0\.0\.[12]:1/)
    expect(logged[1]!.first).toMatch(/lost\.json/)
  })

  it('that one host could not be reached like any other problem', async () => {
    const report = await check([{ source: 'alone', format: 'models-dev', url: 'http://127.0.0.3:1/' }])
    expect(report.noInternet).toBeUndefined()
    expect(messages()).toEqual(['1 of 1 sources checked need attention: npx pricetape source list'])
  })

  it('which sources are no longer declared, once, and when they ended', async () => {
    write('main', [price('m'), price('n')])
    write('kept', [price('o')])
    await check([file('main'), file('kept')])
    await check([file('kept')])
    expect(logged).toMatchObject([
      { msg: 'sources are no longer declared; their prices end then', sources: ['main'], endsAt: plus(NOW, 7 * DAY) },
    ])
    expect(await listUndeclared(db.sql)).toEqual([{ source: 'main', endsAt: plus(NOW, 7 * DAY) }])
    logged = []
    await check([file('kept')], { at: plus(NOW, 7 * DAY - 1) })
    expect(messages()).toEqual([])
    await check([file('kept')], { at: plus(NOW, 7 * DAY) })
    expect(logged).toMatchObject([
      { msg: 'a source that is no longer declared ended, with its prices', source: 'main', resources: 2 },
    ])
  })
})

describe('a check', () => {
  it('leaves what it has no time for to the next, and hands slow sources to workflows of their own', async () => {
    write('a', [price('m')])
    write('b', [price('n')])
    const late = await check([file('a'), file('b')], { budgetMs: 1_900 })
    expect(late).toMatchObject({ collected: [], slow: [], left: 2 })
    await db.sql`update source set last_duration_ms = 20000 where source = 'a'`
    await db.sql`update source set last_duration_ms = 20001 where source = 'b'`
    const report = await check([file('a'), file('b')])
    expect(report).toMatchObject({ collected: [{ source: 'a', outcome: 'changed' }], slow: ['b'], left: 0 })
    expect(handed).toEqual(['b'])
  })

  it('divides what one worker cannot read, and collects nothing then', async () => {
    const many = Array.from({ length: 101 }, (_, n) => file(`many-${n}`))
    expect(await check(many, { mayDivide: true })).toEqual({ collected: [], slow: [], left: 0, shards: 2 })
    expect((await sourceState(db.sql, 'many-0'))?.lastCheckedAt).toBeUndefined()
    write('a', [price('m')])
    expect((await check([file('a')], { mayDivide: true })).collected).toHaveLength(1)
  })

  it('without internet by choice reads files and bundled releases alone', async () => {
    write('a', [price('m')])
    const remote = { source: 'remote', format: 'models-dev', url: 'http://127.0.0.1:1/' }
    const report = await check([file('a'), remote], { env: { PRICETAPE_OFFLINE: 'true' } })
    expect(report.collected.map(({ source }) => source)).toEqual(['a'])
  })

  it('says of a bundled release that it was read there, and not at the address of its list', async () => {
    const list = { source: 'list', format: 'genai-prices', url: 'http://127.0.0.1:1/', bundled: true }
    await check([list], { env: { PRICETAPE_OFFLINE: 'true' } })
    const addresses = await db.sql<{ address: string }[]>`select distinct address from snapshot`
    expect(addresses.map(({ address }) => address.replace(/@[\d.]+$/, ''))).toContain(
      'pkg:npm/%40pydantic/genai-prices',
    )
    expect(addresses.map(({ address }) => address)).not.toContain(list.url)
  })

  it('lists what parsers left out of the newest answer, the most frequent first', async () => {
    write('a', [price('m')])
    const collecting = system([file('a')])
    await collecting.sources()
    const left = (reason: string, count: number) => ({ reason, count, example: 'x' })
    const report = { ignored: [left('few', 1), left('many', 5), left('some', 3)] }
    await db.sql`
      insert into source_fetch (source, at, outcome, report) values ('a', ${NOW}, 'changed', ${db.sql.json(report)})`
    const [listed] = await listSources(collecting)
    expect(listed!.ignored.map(({ reason }) => reason)).toEqual(['many', 'some', 'few'])
  })
})
