import { rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { acceptClock } from '../../src/catalog/clock/accept-clock.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { readSnapshot, storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { recentFetches, sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { collectNamedSource, collectNamedSources } from '../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import { listSources } from '../../src/collecting/list-sources.ts'
import type { DueReport } from '../../src/collecting/schema.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { type Instant, MINUTE, parseInstant, plus } from '../../src/lib/instant.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const name = 'list'
const start = parseInstant('2026-11-21T10:00:00Z')!
const database = testDatabase({ each: true })
const system = collectingSystem(database, (request, response) => {
  requests.push(request)
  answer(request, response)
})
let answer: Answer
let requests: IncomingMessage[]
let collecting: Collecting

beforeEach(() => {
  requests = []
  answer = (_, response) => void response.writeHead(404).end()
  collecting = system.declare([
    { source: name, format: 'genai-prices', url: `${system.base}/${name}.json`, intervalSeconds: 900 },
  ])
})

const declared = () => sourceDeclaration.parse({ source: name, format: 'genai-prices' })

const listing = (price: number, more: object[] = []) =>
  JSON.stringify([
    {
      id: 'list-acme',
      name: 'Acme',
      models: [
        { id: 'm', prices: { input_mtok: price, output_mtok: price * 4 } },
        { id: 'n', prices: { input_mtok: 7 } },
        ...more,
      ],
    },
  ])
const sends =
  (body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }
const collect = (now: Instant = start, limits: object = {}) => collectNamedSource(collecting, name, now, limits)
const collectDue = (now: Instant) =>
  collectDueSources(collecting, now, { budgetMs: 60_000, startCollecting: async () => {} })
const state = () => sourceState(database.sql, name)
const prices = async () => {
  const rows = await database.sql<{ resource: string; dimension: string; price: string }[]>`
    select l.resource, l.dimension, r.price::text
    from publication p join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
    where p.source = ${name} and p.unpublished_at is null
    order by r.recorded_at desc, l.resource, l.dimension`
  const newest = new Map<string, string>()
  for (const row of rows.reverse()) newest.set(`${row.resource} ${row.dimension}`, row.price)
  return Object.fromEntries(newest)
}

describe('collecting a source', () => {
  it('keeps the snapshot with its headers and publishes its prices', async () => {
    answer = sends(listing(1), { etag: '"one"', 'set-cookie': 'secret=1' })
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'url', published: 3, held: 0 })
    expect(await prices()).toEqual({
      'm input_tokens': '0.000001',
      'm output_tokens': '0.000004',
      'n input_tokens': '0.000007',
    })
    const [fetched] = await recentFetches(database.sql, name)
    expect(fetched).toMatchObject({ at: start, outcome: 'changed', httpStatus: 200 })
    const kept = await readSnapshot(database.sql, fetched!.snapshotHash!)
    expect(new TextDecoder().decode(kept)).toBe(listing(1))
    expect(await state()).toMatchObject({ etag: '"one"', lastGoodAt: start, nextDueAt: plus(start, 15 * MINUTE) })
    expect(requests[0]?.headers['user-agent']).toMatch(/^pricetape\//)
  })

  it('asks with the validators of what it has, and a 304 is checked and unchanged', async () => {
    answer = sends(listing(1), { etag: '"one"', 'last-modified': 'Sat, 21 Nov 2026 09:00:00 GMT' })
    await collect()
    answer = (_, response) => response.writeHead(304).end()
    const later = plus(start, 15 * MINUTE)
    expect(await collect(later)).toMatchObject({ outcome: 'unchanged', from: 'stored' })
    expect(requests[1]?.headers).toMatchObject({
      'if-none-match': '"one"',
      'if-modified-since': 'Sat, 21 Nov 2026 09:00:00 GMT',
    })
    expect(await state()).toMatchObject({ etag: '"one"', lastGoodAt: later, lastChangedAt: start })
    expect(await recentFetches(database.sql, name)).toMatchObject([
      { outcome: 'unchanged', httpStatus: 304 },
      expect.any(Object),
    ])
  })

  it('takes the same bytes again as unchanged, without parsing them', async () => {
    answer = sends(listing(1))
    await collect()
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'unchanged' })
    expect((await collect(plus(start, 30 * MINUTE))).published).toBeUndefined()
  })

  it('publishes a changed price with its event', async () => {
    answer = sends(listing(1))
    await collect()
    answer = sends(listing(1.1))
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'changed', published: 2 })
    const events = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type = 'price.changed'`
    expect(events).toHaveLength(2)
  })

  it('takes for news only what the source says newly, when a newer parser reads it from now on', async () => {
    answer = sends(listing(1))
    await collect()
    const { snapshotHash } = (await state())!
    const read = collectorFor('genai-prices')!.parse(Buffer.from(listing(1)), { source: declared(), at: start })
    // As the parser before this one read the same bytes: one price otherwise, one not at all.
    const before = read.observations
      .filter((item) => item.dimension !== 'output_tokens')
      .map((item) => (item.resource === 'm' ? { ...item, price: '0.0000015' } : item))
    const parsed = { ...read, observations: before }
    await ingestPrices(database.sql, { source: declared(), snapshotHash: snapshotHash!, parserVersion: 0, parsed })
    const more = { id: 'other', prices: { input_mtok: 3 } }
    answer = sends(listing(1, [more]))
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'changed' })
    expect(await prices()).toMatchObject({ 'm input_tokens': '0.000001', 'other input_tokens': '0.000003' })
    const events = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type <> 'provider.added' order by seq`
    // Of the two first ones, and of the one that is new.
    expect(events.map((item) => item.type)).toEqual(Array(3).fill('resource.added'))
  })

  it('goes on without events where a newer parser spells a step otherwise', async () => {
    const stepped = (base: number) => ({
      id: 'long',
      prices: { input_mtok: { base, tiers: [{ start: 272_000, price: 5 }] } },
    })
    answer = sends(listing(1, [stepped(2.5)]))
    // As the parser before this one read the same bytes.
    const bytes = Buffer.from(listing(1, [stepped(2.5)]))
    const read = collectorFor('genai-prices')!.parse(bytes, { source: declared(), at: start })
    const before = read.observations.map((item) =>
      item.pricingTier.context ? { ...item, pricingTier: { context: '>271999' } } : item,
    )
    const snapshotHash = await storeSnapshot(database.sql, { bytes, at: start })
    const parsed = { ...read, observations: before }
    await ingestPrices(database.sql, { source: declared(), snapshotHash, parserVersion: 0, parsed })
    const served = async () => {
      const rows = await database.sql<{ tier: string; price: string }[]>`
        select l.pricing_tier as tier, r.price::text from publication p
        join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
        where l.resource = 'long' and p.unpublished_at is null order by 1`
      return rows.map(({ tier, price }) => [tier, price])
    }
    expect(await served()).toEqual([
      ['{"context":">271999"}', '0.000005'],
      ['{}', '0.0000025'],
    ])
    await collect(plus(start, 15 * MINUTE))
    answer = sends(listing(1.1, [stepped(2.5)]))
    await collect(plus(start, 30 * MINUTE))
    expect(await served()).toEqual([
      ['{"context":">272000"}', '0.000005'],
      ['{}', '0.0000025'],
    ])
    const events = await database.sql<{ type: string; resource: string }[]>`
      select type, body::jsonb->>'resource' as resource from event
      where provider = 'list-acme' and type not in ('provider.added', 'resource.added')`
    expect(events.map(({ type, resource }) => [type, resource])).toEqual(Array(2).fill(['price.changed', 'm']))
  })

  it('ends without an event what it serves and a newer release knows to be an error of the list', async () => {
    const both = listing(1)
    answer = sends(both, { etag: '"one"' })
    await collect()
    await database.sql`
      update source set parser_version = parser_version - 1, ingested_parser = ingested_parser - 1 where source = ${name}`
    const wrong = { source: name, provider: 'list-acme', resource: 'n', why: 'Acme does not sell it', evidence: 'here' }
    const file = join(system.folder, 'known-errors.json')
    writeFileSync(file, JSON.stringify({ errors: [{ ...wrong, day: '2026-11-23' }] }))
    collecting = system.declare([{ source: name, format: 'genai-prices', url: `${system.base}/${name}.json` }])
    answer = (_, response) => response.writeHead(304).end()
    const { ignored } = await collect(plus(start, 15 * MINUTE)).finally(() => rmSync(file))
    expect(ignored).toMatchObject([{ reason: 'a known error of the list: Acme does not sell it', count: 1 }])
    expect(Object.keys(await prices()).sort()).toEqual(['m input_tokens', 'm output_tokens'])
    const sent = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type not in ('provider.added', 'resource.added')`
    expect(sent).toEqual([])
  })

  it('lets an announced price begin at its time though the source says nothing new', async () => {
    const announced = {
      id: 'later',
      prices: [{ prices: { input_mtok: 2 } }, { constraint: { start_date: '2026-11-22' }, prices: { input_mtok: 3 } }],
    }
    answer = sends(listing(1, [announced]), { etag: '"one"' })
    await collect()
    expect(await prices()).toMatchObject({ 'later input_tokens': '0.000002' })
    expect(await state()).toMatchObject({ nextChangeAt: '2026-11-22T00:00:00.000Z' })
    answer = (_, response) => response.writeHead(304).end()
    expect(await collect(parseInstant('2026-11-21T23:50:00Z'))).toMatchObject({ outcome: 'unchanged' })
    expect(await state()).toMatchObject({ nextDueAt: '2026-11-22T00:00:00.000Z' })
    expect(await collect(parseInstant('2026-11-22T00:00:00Z'))).toMatchObject({ outcome: 'changed', published: 1 })
    expect(await prices()).toMatchObject({ 'later input_tokens': '0.000003' })
  })

  it('confirms with every unchanged answer that a price is gone', async () => {
    answer = sends(listing(1, [{ id: 'gone', prices: { input_mtok: 2 } }]))
    await collect()
    answer = sends(listing(1))
    for (const minutes of [15, 30]) await collect(plus(start, minutes * MINUTE))
    const [line] = await database.sql<{ misses: number }[]>`
      select missing_count as misses from price_line where source = ${name} and resource = 'gone'`
    expect(line?.misses).toBe(2)
  })
})

describe('a source that fails', () => {
  beforeEach(async () => {
    answer = sends(listing(1), { etag: '"good"' })
    await collect()
  })
  const before = { 'm input_tokens': '0.000001', 'm output_tokens': '0.000004', 'n input_tokens': '0.000007' }

  it('waits longer each time, says why, and changes no price', async () => {
    answer = sends('no', {}, 500)
    let now = plus(start, 15 * MINUTE)
    const waits: number[] = []
    for (let failure = 1; failure <= 8; failure++) {
      expect(await collect(now)).toMatchObject({
        outcome: 'failed',
        problem: `${system.base}/${name}.json answered 500.`,
      })
      const { nextDueAt, failures } = (await state())!
      expect(failures).toBe(failure)
      waits.push((Date.parse(nextDueAt) - Date.parse(now)) / MINUTE)
      now = nextDueAt
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 360])
    expect(await prices()).toEqual(before)
    answer = sends(listing(1), { etag: '"good"' })
    expect(await collect(now)).toMatchObject({ outcome: 'unchanged' })
    expect(await state()).toMatchObject({ failures: 0, nextDueAt: plus(now, 15 * MINUTE) })
    expect((await state())?.problem).toBeUndefined()
  })

  it('is not blamed while nothing may be published, and is collected as soon as it may', async () => {
    answer = sends(listing(1))
    await collect()
    // Both clocks jumped ahead by a day since they were last compared.
    await database.sql`
      update clock_anchor set database_at = database_at - interval '1 day', machine_at = machine_at - interval '1 day'`
    answer = sends(listing(2))
    const due = plus(start, 15 * MINUTE)
    const refused = await collect(due)
    expect(refused).toMatchObject({ outcome: 'skipped', problem: expect.stringMatching(/clock jumped ahead/) })
    expect(await state()).toMatchObject({ failures: 0, nextDueAt: due })
    expect(await prices()).toEqual(before)
    await acceptClock(database.sql)
    expect((await collectDue(due)).collected).toMatchObject([{ source: name, outcome: 'changed' }])
    expect(await prices()).toMatchObject({ 'm input_tokens': '0.000002' })
  })

  it('is left alone for as long as it asks', async () => {
    answer = sends('slow down', { 'retry-after': '3600' }, 429)
    const now = plus(start, 15 * MINUTE)
    await collect(now)
    expect((await state())?.nextDueAt).toBe(plus(now, 60 * MINUTE))
  })

  it.each([
    ['is cut off', () => listing(1).slice(0, 60), /cut off/],
    ['is a web page', () => '<!doctype html><title>Sign in</title>', /web page/],
    ['is an empty list', () => '[]', /empty list/],
    ['holds NaN', () => listing(1).replace(':7', ':NaN'), /NaN/],
  ])('is quarantined when its answer %s: kept, and no price changes', async (_, body, sentence) => {
    answer = sends(body(), { etag: '"bad"' })
    const now = plus(start, 15 * MINUTE)
    expect(await collect(now)).toMatchObject({ outcome: 'quarantined', problem: expect.stringMatching(sentence) })
    const [fetched] = await recentFetches(database.sql, name)
    expect(new TextDecoder().decode(await readSnapshot(database.sql, fetched!.snapshotHash!))).toBe(body())
    expect(await state()).toMatchObject({ failures: 1, etag: '"good"', lastGoodAt: start })
    expect(await prices()).toEqual(before)
  })

  it('is refused when it sends more than the limit, packed or not', async () => {
    const big = { source: name, format: 'genai-prices', url: `${system.base}/big.json`, options: { maxBytes: 10_000 } }
    collecting = system.declare([big])
    answer = sends(`[${' '.repeat(50_000)}]`)
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    answer = sends(gzipSync(' '.repeat(5_000_000)), { 'content-encoding': 'gzip' })
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    answer = sends(gzipSync(' '.repeat(5_000_000)))
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/larger than 10000 bytes\. Set maxBytes in the options of the source/),
    })
    expect(await prices()).toEqual(before)
  })

  it('fails when it does not end in time', async () => {
    answer = (_, response) => response.writeHead(200).write('[')
    expect(await collect(start, { timeoutMs: 300 })).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/could not be read/),
    })
  })

  it('does not lean on the bundled release once it was heard', async () => {
    collecting = system.declare([
      { source: name, format: 'genai-prices', url: `${system.base}/${name}.json`, bundled: true },
    ])
    answer = sends('no', {}, 503)
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'failed' })
    expect(await prices()).toEqual(before)
  })
})

describe('where prices come from', () => {
  it('is the bundled release while the source was never heard, and that says nothing about today', async () => {
    collecting = system.declare([{ source: name, format: 'genai-prices', url: 'http://127.0.0.1:1/', bundled: true }])
    const outcome = await collect()
    expect(outcome).toMatchObject({
      outcome: 'changed',
      from: 'bundled',
      problem: expect.stringMatching(/bundled release 0\.1\.8/),
    })
    expect(outcome.published).toBeGreaterThan(3_500)
    const after = (await state())!
    expect(after.lastGoodAt).toBeUndefined()
    expect(after.nextDueAt).toBe(plus(start, 5 * MINUTE))
    expect(await collect(after.nextDueAt)).toMatchObject({ outcome: 'unchanged', from: 'bundled' })
    expect(await state()).toMatchObject({ failures: 2, nextDueAt: plus(after.nextDueAt, 10 * MINUTE) })
  })

  it('is the bundled release alone when PRICETAPE_OFFLINE is set', async () => {
    collecting = system.declare(
      [
        { source: name, format: 'genai-prices', url: `${system.base}/never.json`, bundled: true },
        { source: `${name}-live`, format: 'openrouter', url: `${system.base}/never.json` },
      ],
      { PRICETAPE_OFFLINE: 'true' },
    )
    const report = await collectDue(start)
    expect(report.collected.map(({ source, outcome, from }) => [source, outcome, from])).toEqual([
      [name, 'changed', 'bundled'],
    ])
    expect(requests).toEqual([])
  })

  it('can ask for a key: it is sent in a header alone, and without one the source says what to do', async () => {
    const source = { source: name, format: 'nebius', url: `${system.base}/${name}.json`, options: { key: 'Bearer' } }
    const model = { id: 'm', pricing: { prompt: '0.000001', completion: '0.000002' } }
    answer = sends(JSON.stringify({ data: [model] }))
    collecting = system.declare([source])
    const problem = `${name} needs a key of its seller: set PRICETAPE_SOURCE_KEYS=${name}=KEY (docs/sources.md).`
    expect(await collect()).toMatchObject({ outcome: 'failed', problem })
    expect(requests).toEqual([])
    expect((await listSources(collecting)).find(({ source }) => source === name)).toMatchObject({ state: { problem } })
    collecting = system.declare([source], { PRICETAPE_SOURCE_KEYS: `other=no,${name}=geheim` })
    expect(await collect()).toMatchObject({ outcome: 'changed', published: 2 })
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [`/${name}.json`, 'Bearer geheim'],
    ])
    expect(JSON.stringify([await listSources(collecting), await recentFetches(database.sql, name, 5)])).not.toContain(
      'geheim',
    )
  })

  it('can be asked with a question, which is sent with POST and to its own address alone', async () => {
    const question = { query: '{gpuTypes{id}}' }
    const source = { source: name, format: 'runpod-gpu-types', url: `${system.base}/graphql`, options: { question } }
    collecting = system.declare([source])
    const gpu = { id: 'NVIDIA H200', secureCloud: true, communityCloud: true, securePrice: 3.99, communityPrice: 3.59 }
    const asked: unknown[] = []
    answer = (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part) => parts.push(part)).on('end', () => {
        asked.push([request.method, request.headers['content-type'], Buffer.concat(parts).toString()])
        response.end(JSON.stringify({ data: { gpuTypes: [gpu] } }))
      })
    }
    expect(await collect()).toMatchObject({ outcome: 'changed', published: 2 })
    expect(asked).toEqual([['POST', 'application/json', '{"query":"{gpuTypes{id}}"}']])
    answer = (_, response) => void response.writeHead(307, { location: `${system.base}/elsewhere` }).end()
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/the answer to a question leads elsewhere/),
    })
    expect(requests.map(({ url }) => url)).toEqual(['/graphql', '/graphql'])
  }) // biome-ignore format: one thing after another

  it('can be pages that are named by a token, with a key in a header of its own', async () => {
    const url = `${system.base}/skus?currencyCode=USD`
    const source = { source: name, format: 'google-cloud-skus', url, options: { keyHeader: 'X-Goog-Api-Key' } }
    collecting = system.declare([source])
    expect(await collect()).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(/needs a key/) })
    expect(requests).toEqual([])
    const sku = (region: string) => ({
      skuId: region, description: `Nvidia L4 GPU running in ${region}`, serviceRegions: [region],
      category: { resourceFamily: 'Compute', resourceGroup: 'GPU', usageType: 'OnDemand' },
      pricingInfo: [{ pricingExpression: { usageUnit: 'h', tieredRates: [{ unitPrice: { currencyCode: 'USD', units: '0', nanos: 690921600 } }] } }],
    }) // biome-ignore format: one thing after another
    answer = (request, response) => {
      const token = new URL(request.url!, system.base).searchParams.get('pageToken')
      const [region, nextPageToken] = { a: ['b', 'c'], c: ['d', ''] }[token ?? ''] ?? ['a', 'a']
      response.end(JSON.stringify({ skus: [sku(region!)], nextPageToken }))
    }
    collecting = system.declare([source], { PRICETAPE_SOURCE_KEYS: `${name}=geheim` })
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({ outcome: 'changed', published: 3 })
    expect(requests.map(({ url, headers }) => [url, headers['x-goog-api-key'], headers.authorization])).toEqual([
      ['/skus?currencyCode=USD', 'geheim', undefined],
      ['/skus?currencyCode=USD&pageToken=a', 'geheim', undefined],
      ['/skus?currencyCode=USD&pageToken=c', 'geheim', undefined],
    ])
  }) // biome-ignore format: one thing after another

  it('can be a file beside the list of sources', async () => {
    collecting = system.declare([{ source: name, format: 'curated', url: 'by-hand.csv' }])
    writeFileSync(
      join(system.folder, 'by-hand.csv'),
      `provider,resource,dimension,price,per\n${name},m,input_tokens,3,1000000\n`,
    )
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'file', published: 1 })
    expect(await prices()).toEqual({ 'm input_tokens': '0.000003' })
  })

  it('can be many pages on one host, and half of them are none', async () => {
    collecting = system.declare([{ source: name, format: 'azure', url: `${system.base}/pages?page=1` }])
    const item = (page: number) => ({
      currencyCode: 'USD', retailPrice: page, unitOfMeasure: '1 Hour', type: 'Consumption', armRegionName: 'westeurope',
      armSkuName: `Standard_N${page}`, productName: 'Virtual Machines N Series', skuName: `N${page}`, meterName: `N${page}`,
    }) // biome-ignore format: one thing after another
    let broken = false
    answer = (request, response) => {
      const page = Number(new URL(request.url!, system.base).searchParams.get('page'))
      if (broken && page === 3) return void response.writeHead(500).end()
      const next = page < 4 ? `${system.base}/pages?page=${page + 1}` : null
      response.end(JSON.stringify({ Items: [item(page)], NextPageLink: next, Count: 1 }))
    }
    expect(await collect()).toMatchObject({ outcome: 'changed', published: 4 })
    broken = true
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/500/),
    })
    answer = (_, response) =>
      response.end(JSON.stringify({ Items: [item(1)], NextPageLink: 'http://example.com/next' }))
    expect(await collect(plus(start, 80 * MINUTE))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/another host/),
    })
    expect(Object.keys(await prices())).toHaveLength(4)
  })
})

describe('a legal document', () => {
  const paragraph = 'These terms govern how you may use the service of Acme, and what Acme may do with what you send. '
  const page = (text: string) =>
    `<!doctype html><html><head><title>Terms</title></head><body><main><h1>Terms of service</h1>${`<p>${text}</p>`.repeat(12)}</main></body></html>`
  const document = () => ({
    source: name,
    format: 'document',
    url: `${system.base}/${name}/terms`,
    options: { provider: 'list-acme', document: 'terms-of-service', title: 'Terms of service' },
  })
  const host = (robots: string, terms: Answer): Answer => {
    return (request, response) =>
      request.url === '/robots.txt' ? void response.writeHead(200).end(robots) : terms(request, response)
  }

  it('is judged by the room of terms, and a 304 counts as another fetch of it', async () => {
    collecting = system.declare([document()])
    answer = host('', sends(page(paragraph), { 'content-type': 'text/html', etag: '"t1"' }))
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'url' })
    const [first] = await recentFetches(database.sql, name)
    expect(first).toMatchObject({ report: { outcome: 'first' } })
    answer = host('', (request, response) => {
      expect(request.headers['if-none-match']).toBe('"t1"')
      response.writeHead(304).end()
    })
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({ outcome: 'unchanged', from: 'stored' })
  })

  it('is not fetched where robots.txt says so, and its operator reads why', async () => {
    // Another name of this machine, so that what robots.txt said to the test above is not remembered.
    collecting = system.declare([
      { ...document(), url: `${system.base.replace('127.0.0.1', 'localhost')}/${name}/terms` },
    ])
    answer = host('User-agent: *\nDisallow: /', sends(page(paragraph)))
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/asks robots not to read/),
    })
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt'])
  })
})

describe('collecting what is due', () => {
  const three = () =>
    ['a', 'b', 'c'].map((letter) => ({
      source: `${name}-${letter}`,
      format: 'genai-prices',
      url: `${system.base}/${letter}`,
    }))

  it('goes on past a bad source', async () => {
    collecting = system.declare(three())
    answer = (request, response) => {
      if (request.url === '/a') return void response.destroy()
      sends(request.url === '/b' ? 'nonsense' : listing(1))(request, response)
    }
    const report = await collectDue(start)
    expect(Object.fromEntries(report.collected.map(({ source, outcome }) => [source.at(-1), outcome]))).toEqual({
      a: 'failed',
      b: 'quarantined',
      c: 'changed',
    })
    expect((await collectDue(plus(start, MINUTE))).collected).toEqual([])
  })

  it('says that there is no internet when no connection came about, and lists each source with its problem', async () => {
    collecting = system.declare(
      ['127.0.0.1', '127.0.0.2'].map((host) => ({
        source: `of-${host}`,
        format: 'models-dev',
        url: `http://${host}:1/`,
      })),
    )
    const report = await collectDue(start)
    expect(report.noInternet).toMatch(/none of 2 sources could be reached\. .* PRICETAPE_OFFLINE=true/)
    const listed = await listSources(collecting)
    expect(listed.map(({ state }) => state?.problem)).toEqual([
      'http://127.0.0.1:1/ could not be read: the connection was refused.',
      'http://127.0.0.2:1/ could not be read: the connection was refused.',
    ])
  })

  it('hands a source that outlasts the check to a workflow of its own, as slow and not as broken', async () => {
    collecting = system.declare(three().slice(0, 2))
    answer = (request, response) => {
      if (request.url === '/b') sends(listing(1))(request, response)
      else response.writeHead(200).write('[')
    }
    let handed: string[] = []
    let report: DueReport | undefined
    // On a busy machine the first budgets are over before the other source is read.
    for (let budgetMs = 2_500; report?.collected.length !== 1 && budgetMs < 100_000; budgetMs *= 3) {
      handed = []
      const startCollecting = async (source: string) => void handed.push(source)
      report = await collectDueSources(collecting, start, { budgetMs, startCollecting })
    }
    expect(report).toMatchObject({
      collected: [{ source: `${name}-b`, outcome: 'changed' }],
      slow: [`${name}-a`],
      left: 0,
    })
    expect(handed).toEqual([`${name}-a`])
    expect(await sourceState(database.sql, `${name}-a`)).toMatchObject({ failures: 0 })
  })

  it('gives a source to one collection at a time', async () => {
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    answer = async (request, response) => {
      await held
      sends(listing(1))(request, response)
    }
    const first = collect()
    await expect.poll(() => requests.length).toBe(1)
    expect(await collect()).toMatchObject({ outcome: 'skipped' })
    release()
    expect(await first).toMatchObject({ outcome: 'changed' })
  })

  it('lists every source with how it fares, and collects those named or all that are enabled', async () => {
    collecting = system.declare([
      ...three(),
      { source: `${name}-off`, format: 'litellm', url: `${system.base}/off`, enabled: false },
    ])
    answer = sends(listing(1))
    // All three list the same prices: the first one decides about them, the others confirm it.
    expect((await collectNamedSources(collecting)).map(({ outcome }) => outcome)).toEqual([
      'changed',
      'unchanged',
      'unchanged',
    ])
    const list = await listSources(collecting)
    expect(
      list.map(({ source, enabled, state: known }) => [source.slice(name.length + 1), enabled, known?.failures]),
    ).toEqual([
      ['a', undefined, 0],
      ['b', undefined, 0],
      ['c', undefined, 0],
      ['off', false, undefined],
    ])
    const named = await collectNamedSources(collecting, [`${name}-c`, `${name}-a`])
    expect(named.map(({ source }) => source)).toEqual([`${name}-c`, `${name}-a`])
    await expect(collectNamedSource(collecting, `${name}-off`, start)).rejects.toThrow(
      /-off is off in the sources file/,
    )
    await expect(collectNamedSources(collecting, ['none'])).rejects.toThrow('There is no source none. See: npx')
  })
})
