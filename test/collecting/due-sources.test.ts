import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { createCollecting } from '../../src/collecting/collecting.ts'
import { followDeclarations } from '../../src/collecting/follow-declarations.ts'
import { isInShard } from '../../src/collecting/shard-rules.ts'
import { readConfig } from '../../src/lib/config.ts'
import { HOUR, instantOf, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

type Line = { msg: string; source?: string; err?: { message: string } }

const db = testDatabase({ each: true })
const folder = mkdtempSync(join(tmpdir(), 'pricetape-due-'))
const { get, close } = createSafeFetch({ allowPrivate: true })
/** Requests that are never answered. */
let open: ServerResponse[] = []
const server = createServer((_, response) => void open.push(response))
let base = ''
let logged: Line[] = []
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  logged = []
  open = []
})
afterAll(async () => {
  await close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true })
})

const NOW = instantOf(Date.now())
const write = (name: string, price = '3', resource = 'm') =>
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify({ prices: [{ provider: 'acme', resource, dimension: 'input_tokens', price, per: 1_000_000 }] }),
  )
/** Declares a source of the file that bears its name, which has one price. */
const file = (source: string, more: object = {}) => {
  if (!existsSync(join(folder, `${source}.json`))) write(source)
  return { source, format: 'curated', url: `${source}.json`, ...more }
}
const system = (sources: object[]) => {
  const list = join(folder, 'sources.json')
  writeFileSync(list, JSON.stringify({ sources }))
  const log = createLog('info', 'json', { write: (line) => void logged.push(JSON.parse(line)) })
  return createCollecting({ config: readConfig({ PRICETAPE_SOURCES: list }), log, sql: db.sql, isolation }, get, {
    spacingMs: 1,
  })
}
const check = (sources: object[], { at = NOW, ...more }: { at?: typeof NOW } & Record<string, unknown> = {}) =>
  collectDueSources(system(sources), at, { budgetMs: 60_000, startCollecting: async () => {}, ...more })
const count = async (table: string) => (await db.sql.unsafe(`select count(*)::int as n from ${table}`))[0]!.n as number

describe('a check', () => {
  it('follows the list and compares sources with each other, once for all shards of it', async () => {
    write('list', '3')
    write('watching', '4')
    const sources = [
      file('list'),
      file('watching', { witness: true, rank: 'verified' }),
      { source: 'planned', format: 'skypilot', url: 'planned.csv', options: { provider: 'planned' } },
    ]
    const later = { at: plus(NOW, 49 * HOUR) }
    const shard = { index: 0, of: 1 }
    for (const { at } of [{ at: NOW }, later]) await check(sources, { at, shard })
    const planned = () => db.sql`select from provider where provider = 'planned'`
    const compared = async () => [await count('confirmation_pass'), await count('contradicted_line')]
    expect([await compared(), (await planned()).length]).toEqual([[0, 0], 0])
    await check(sources, later)
    expect([await compared(), (await planned()).length]).toEqual([[1, 1], 1])
  })

  it('collects of what is due what its shard has', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shared-${n}`)
    const shard = { index: 1, of: 2 }
    const { collected } = await check(
      names.map((name) => file(name)),
      { shard },
    )
    const own = names.filter((name) => isInShard(name, NOW, shard))
    expect(own.length).toBeGreaterThan(0)
    expect(own.length).toBeLessThan(12)
    expect(collected.map(({ source }) => source).sort()).toEqual(own.sort())
    const rest = await check(names.map((name) => file(name)))
    expect(rest.collected).toHaveLength(12 - own.length)
  })

  it('tries a source whose reader died after all others, though its claim has ended', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const sources = names.map((name) => file(name))
    await system(sources).sources()
    await db.sql`update source set interruptions = 1 where source = 'a'`
    const { collected } = await check(sources)
    expect([collected.at(-1)?.source, collected.length]).toEqual(['a', 6])
  })

  it('goes on where the list cannot be followed or sources cannot be compared, and says so in the log', async () => {
    await system([file('a'), file('gone')]).sources()
    await db.sql`alter table source add constraint refused check (undeclared_at is null)`
    await db.sql`alter table confirmation_pass rename to pass_elsewhere`
    const { collected } = await check([file('a')])
    expect(collected).toMatchObject([{ source: 'a', outcome: 'changed' }])
    expect(logged.map(({ msg, err }) => [msg, err?.message])).toEqual([
      [
        'following the list of sources failed; the next check tries again',
        expect.stringContaining('check constraint "refused"'),
      ],
      [
        'comparing the sources failed; the next check tries again',
        expect.stringContaining('"confirmation_pass" does not exist'),
      ],
    ])
  })

  it('goes on past a source of which not even the failure can be recorded, and says which', async () => {
    await db.sql`alter table source_fetch add constraint refused check (source <> 'a')`
    const { collected } = await check([file('a'), file('b')])
    const [a, b] = collected.toSorted((x, y) => (x.source < y.source ? -1 : 1))
    expect(b).toMatchObject({ source: 'b', outcome: expect.stringMatching(/^(un)?changed$/) })
    expect(a).toMatchObject({
      ...{ source: 'a', outcome: 'failed' },
      problem: expect.stringMatching(
        /^Collecting a failed: new row for relation .* violates check constraint "refused"/,
      ),
    })
    expect(a!.durationMs).toBeGreaterThan(0)
    expect(a!.durationMs).toBeLessThan(60_000)
    expect(logged.filter(({ source }) => source === 'a').map(({ msg }) => msg)).toEqual([
      ...['collecting a source failed', 'collecting a source failed'],
    ])
  })

  it('reads four sources beside each other, and the next one once one of them is read', async () => {
    const hosts = [1, 2, 3, 4, 5, 6].map((n) => ({
      ...{ source: `host-${n}`, format: 'models-dev', url: `${base.replace('127.0.0.1', `127.0.0.${n}`)}/` },
    }))
    const running = check(hosts)
    await expect.poll(() => open.length, { timeout: 60_000 }).toBe(4)
    await new Promise((done) => setTimeout(done, 100))
    expect(open).toHaveLength(4)
    open[0]!.end('{}')
    await expect.poll(() => open.length, { timeout: 60_000 }).toBe(5)
    for (const response of open) response.end('{}')
    await expect.poll(() => open.length, { timeout: 60_000 }).toBe(6)
    open[5]!.end('{}')
    expect((await running).collected).toHaveLength(6)
  })

  it('says what it is doing while it does it', async () => {
    const said: string[] = []
    await check([file('a')], { progress: (what: string) => said.push(what) })
    expect([said[0], said.at(-1)]).toEqual(['a: fetching', 'a: reading'])
  })

  it('says of a source that could not be taken in that it is a fault of Pricetape, and tries it later', async () => {
    await db.sql`alter table price_row add constraint refused check (price < 0)`
    const { collected } = await check([file('a')])
    const problem = expect.stringMatching(/^Reading it failed, by a fault of Pricetape: .*constraint "refused"/)
    expect(collected).toMatchObject([{ source: 'a', outcome: 'failed', problem }])
    expect(await sourceState(db.sql, 'a')).toMatchObject({ failures: 1, problem })
    expect(logged[0]).toMatchObject({ msg: 'collecting a source failed', source: 'a' })
  })

  it('begins nothing once it is to end, and records nothing against what it reads then', async () => {
    const aborted = await check([file('a'), file('b')], { signal: AbortSignal.abort() })
    expect(aborted).toMatchObject({ collected: [], slow: [], left: 2 })
    const controller = new AbortController()
    const remote = { source: 'remote', format: 'models-dev', url: `${base}/` }
    const running = check([remote], { signal: controller.signal })
    await expect.poll(() => open.length, { timeout: 60_000 }).toBe(1)
    expect((await sourceState(db.sql, 'remote'))!.collectingUntil).toBeDefined()
    controller.abort(new Error('the worker ends'))
    const problem = expect.stringContaining('stopped before the answer came')
    expect((await running).collected).toEqual([
      { source: 'remote', outcome: 'skipped', problem, durationMs: 0, unreachable: false },
    ])
    const state = (await sourceState(db.sql, 'remote'))!
    expect([state.failures, state.collectingUntil, state.lastCheckedAt]).toEqual([0, undefined, undefined])
    expect(logged.filter(({ source }) => source !== undefined)).toEqual([])
  })

  it('says nothing about the internet where documents alone could not be reached', async () => {
    const terms = ['127.0.0.1', '127.0.0.2'].map((host, n) => ({
      ...{ source: `terms-${n}`, format: 'document', url: `http://${host}:1/terms` },
      options: { provider: 'acme', document: `terms-${n}`, title: 'Terms' },
    }))
    const report = await check(terms)
    expect(report.collected).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }])
    expect(report.noInternet).toBeUndefined()
    expect(logged.map(({ msg }) => msg)).toEqual(['2 of 2 sources checked need attention: npx pricetape source list'])
  })

  it('notes which snapshot is being read while it is, in case its reader dies', async () => {
    await db.sql`create table noted (hash text)`
    await db.sql`
      create function note_reading() returns trigger language plpgsql as
      'begin insert into noted select reading_hash from source where source = ''a''; return null; end'`
    await db.sql`create trigger note after insert on price_row execute function note_reading()`
    await check([file('a')])
    const [row] = await db.sql`select (select snapshot_hash from source where source = 'a') = hash as is_it from noted`
    expect(row).toEqual({ is_it: true })
  })
})

describe('the list of sources', () => {
  it('names providers and documents before anything is read: each by the first declaration that names it', async () => {
    const document = (provider: string, name: string, providerName?: string) => ({
      ...{ source: `${provider}-${name}`, format: 'document', url: `${base}/${provider}` },
      options: { provider, document: name, title: `Title of ${name}`, providerName },
    })
    const prices = (source: string, options: object, more: object = {}) => file(source, { options, ...more })
    await followDeclarations(
      system([
        prices('named', { provider: 'named', name: 'Named Inc.' }),
        prices('slug', { provider: 'slug' }),
        prices('witness', { provider: 'watched' }, { witness: true }),
        prices('words', { provider: 'Two Words' }),
        prices('number', { provider: 7, name: 'Seven' }),
        prices('none', { name: 'Nothing' }),
        prices('off', { provider: 'off' }, { enabled: false }),
        document('lawful', 'terms', 'Lawful Inc.'),
        document('lawful', 'policy', 'Lawful Ltd.'),
        document('bare', 'terms'),
      ]),
      NOW,
    )
    const providers = await db.sql`
      select p.provider, p.name, array_agg(s.source order by 1) as sources
      from provider p join source_provider s using (provider) group by 1, 2 order by 1`
    expect(providers.map(({ provider, name, sources }) => [provider, name, sources.sort()])).toEqual([
      ['bare', 'bare', ['bare-terms']],
      ['lawful', 'Lawful Inc.', ['lawful-policy', 'lawful-terms']],
      ['named', 'Named Inc.', ['named']],
      ['slug', 'slug', ['slug']],
    ])
    const documents = await db.sql`select provider, document, title from document order by 1, 2`
    expect(documents.map(({ provider, document: name, title }) => [provider, name, title])).toEqual([
      ['bare', 'terms', 'Title of terms'],
      ['lawful', 'policy', 'Title of policy'],
      ['lawful', 'terms', 'Title of terms'],
    ])
    expect(logged).toEqual([])
  })
})
