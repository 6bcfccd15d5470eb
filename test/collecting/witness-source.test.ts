import type { IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { sourceState } from '../../src/catalog/sources/source-store.ts'
import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import { listSources } from '../../src/collecting/list-sources.ts'
import { HOUR, parseInstant, plus } from '../../src/lib/instant.ts'
import { witnessesOf } from '../../src/prices/store/witness-store.ts'
import { KIND } from '../prices/stores/line-rows.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

const start = parseInstant('2026-11-21T10:00:00Z')!
const database = testDatabase({ each: true })
/** What the server has, by path; an index is sent with a validator. */
let files: Record<string, unknown>
let requests: string[]
const system = collectingSystem(database, (request: IncomingMessage, response) => {
  requests.push(request.url!)
  const file = files[request.url!]
  const etag = `"${JSON.stringify(file)?.length}"`
  if (file === undefined) return void response.writeHead(404).end()
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': 'application/json', etag }).end(JSON.stringify(file))
})
let collecting: Collecting

const series = (model: string, price: number) => ({
  model,
  provider: 'acme',
  variations: {
    input: [
      { from: '2026-01-01', to: null, price_usd: price, unit: 'usd_per_mtok', src: 'https://acme.example/pricing',
        confidence: 'verified', last_validated: '2026-11-01' },
    ],
  },
}) // biome-ignore format: one interval
const index = (...models: string[]) => ({
  models: models.map((model) => ({ id: model, provider: 'acme', file: `models/${model}.json`, aliases: [] })),
})
const collect = (hours = 0, name = 'index') => collectNamedSource(collecting, name, plus(start, hours * HOUR))
const shown = async (resource: string) => {
  const found = await witnessesOf(database.sql, 'list', [], [{ key: '1', provider: 'acme', resource, ...KIND }])
  return found.map(({ price }) => price)
}

beforeEach(() => {
  requests = []
  files = {
    '/data/index.json': index('m', 'n'),
    '/data/models/m.json': series('m', 1),
    '/data/models/n.json': series('n', 2),
  }
  const url = `${system.base}/data/index.json`
  collecting = system.declare([{ source: 'index', format: 'ai-price-index', url, witness: true, intervalSeconds: 900 }])
})

describe('collecting a witness source', () => {
  it('reads the files that an index names, and publishes nothing', async () => {
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'url' })
    expect(requests).toEqual(['/data/index.json', '/data/models/m.json', '/data/models/n.json'])
    expect([await shown('m'), await shown('n')]).toEqual([['0.000001'], ['0.000002']])
    expect(await database.sql`select from publication`).toHaveLength(0)
    expect(await database.sql`select from provider`).toHaveLength(0)
  })

  it('needs one request while the index does not change, and reads all of it again when it does', async () => {
    await collect()
    expect(await collect(1)).toMatchObject({ outcome: 'unchanged', from: 'stored' })
    expect(requests).toHaveLength(4)
    files['/data/index.json'] = index('m')
    files['/data/models/m.json'] = series('m', 5)
    expect(await collect(2)).toMatchObject({ outcome: 'changed' })
    expect([await shown('m'), await shown('n')]).toEqual([['0.000005'], []])
    files['/data/index.json'] = { ...index('m'), generated: 'an hour later' }
    expect(await collect(3)).toMatchObject({ outcome: 'unchanged', from: 'url' })
    // Other bytes that show the same price say nothing new either.
    files['/data/index.json'] = { ...index('m'), generated: 'some hours later' }
    files['/data/models/m.json'] = { ...series('m', 5), note: 'of the same price' }
    expect(await collect(4)).toMatchObject({ outcome: 'unchanged', from: 'url' })
  })

  it.each([
    ['is missing', { '/data/models/n.json': undefined }, /models\/n\.json answered 404/],
    ['is not JSON', { '/data/models/n.json': 'text' }, /a file it names is not JSON/],
    [
      'is on another host',
      { '/data/index.json': { models: [{ file: 'https://elsewhere.example/m.json' }] } },
      /another host/,
    ],
    ['is not named', { '/data/index.json': { models: [{ id: 'm' }] } }, /it is not an index of files/],
  ])('changes nothing when a file %s', async (_, wrong, problem) => {
    await collect()
    Object.assign(files, { '/data/index.json': { ...index('m', 'n'), more: 1 } }, wrong)
    const outcome = await collect(1)
    expect(outcome).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(problem) })
    expect([await shown('m'), await shown('n')]).toEqual([['0.000001'], ['0.000002']])
  })

  it('begins to show an announced price when it begins, without an answer that changed', async () => {
    const price = { price_usd: 9, unit: 'usd_per_mtok', src: 'https://acme.example', confidence: 'verified' }
    const m = series('m', 1)
    m.variations.input.push({ ...price, from: '2026-11-22', to: null, last_validated: '2026-11-01' })
    files['/data/models/m.json'] = m
    await collect()
    expect((await sourceState(database.sql, 'index'))?.nextChangeAt).toBe('2026-11-22T00:00:00.000Z')
    expect(await shown('m')).toEqual(['0.000001'])
    expect(await collect(14)).toMatchObject({ outcome: 'changed', from: 'stored' })
    expect(await shown('m')).toEqual(['0.000009'])
  })

  it('shows what the parser left out of the newest answer, and keeps showing it while nothing changes', async () => {
    const m = series('m', 1) as { variations: Record<string, unknown> }
    m.variations.telepathy = [{}]
    m.variations.tier2_input = [{}]
    m.variations.tier2_output = [{}]
    files['/data/models/m.json'] = m
    await collect()
    await collect(1)
    const [source] = await listSources(collecting)
    expect(source?.ignored).toEqual([
      {
        reason: 'a second tier, whose beginning the index does not give',
        count: 2,
        example: 'acme m tier2_input',
      },
      { reason: 'an unknown kind of price: telepathy', count: 1, example: 'acme m telepathy' },
    ])
  })

  it('is quarantined when the source was served before', async () => {
    const list = [{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }]
    files['/list.json'] = list
    const entry = { source: 'list', format: 'genai-prices', url: `${system.base}/list.json` }
    collecting = system.declare([entry])
    await collect(0, 'list')
    files['/list.json'] = [...list, { id: 'other', name: 'Other', models: [{ id: 'o', prices: { input_mtok: 1 } }] }]
    collecting = system.declare([{ ...entry, witness: true }])
    expect(await collect(1, 'list')).toMatchObject({
      outcome: 'quarantined',
      problem: 'list has published prices, so it cannot become a witness. Declare the witness under another name.',
    })
    expect((await listSources(collecting))[0]?.state).toMatchObject({ witness: true })
    expect(await database.sql`select from witness_price`).toHaveLength(0)
  })
})
