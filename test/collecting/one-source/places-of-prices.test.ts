import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recentFetches } from '../../../src/catalog/sources/source-store.ts'
import { listSources } from '../../../src/collecting/list-sources.ts'
import { MINUTE, plus } from '../../../src/lib/instant.ts'
import { listSource, name, sends, start } from './list-source.ts'

const list = listSource()
const { collect, collectDue, state, prices, requests, system, database } = list

describe('where prices come from', () => {
  it('is the bundled release while the source was never heard, and that says nothing about today', async () => {
    list.collecting = system.declare([
      { source: name, format: 'genai-prices', url: 'http://127.0.0.1:1/', bundled: true },
    ])
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
    list.collecting = system.declare(
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
    list.answer = sends(JSON.stringify({ data: [model] }))
    list.collecting = system.declare([source])
    const problem = `${name} needs a key of its seller: set PRICETAPE_SOURCE_KEYS=${name}=KEY (docs/sources.md).`
    expect(await collect()).toMatchObject({ outcome: 'failed', problem })
    expect(requests).toEqual([])
    expect((await listSources(list.collecting)).find(({ source }) => source === name)).toMatchObject({
      state: { problem },
    })
    list.collecting = system.declare([source], { PRICETAPE_SOURCE_KEYS: `other=no,${name}=geheim` })
    expect(await collect()).toMatchObject({ outcome: 'changed', published: 2 })
    expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [`/${name}.json`, 'Bearer geheim'],
    ])
    expect(
      JSON.stringify([await listSources(list.collecting), await recentFetches(database.sql, name, 5)]),
    ).not.toContain('geheim')
  })

  it('can be asked with a question, which is sent with POST and to its own address alone', async () => {
    const question = { query: '{gpuTypes{id}}' }
    const source = { source: name, format: 'runpod-gpu-types', url: `${system.base}/graphql`, options: { question } }
    list.collecting = system.declare([source])
    const gpu = { id: 'NVIDIA H200', secureCloud: true, communityCloud: true, securePrice: 3.99, communityPrice: 3.59 }
    const asked: unknown[] = []
    list.answer = (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part) => parts.push(part)).on('end', () => {
        asked.push([request.method, request.headers['content-type'], Buffer.concat(parts).toString()])
        response.end(JSON.stringify({ data: { gpuTypes: [gpu] } }))
      })
    }
    expect(await collect()).toMatchObject({ outcome: 'changed', published: 2 })
    expect(asked).toEqual([['POST', 'application/json', '{"query":"{gpuTypes{id}}"}']])
    list.answer = (_, response) => void response.writeHead(307, { location: `${system.base}/elsewhere` }).end()
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/the answer to a question leads elsewhere/),
    })
    expect(requests.map(({ url }) => url)).toEqual(['/graphql', '/graphql'])
  }) // biome-ignore format: one thing after another

  it('can be pages that are named by a token, with a key in a header of its own', async () => {
    const url = `${system.base}/skus?currencyCode=USD`
    const source = { source: name, format: 'google-cloud-skus', url, options: { keyHeader: 'X-Goog-Api-Key' } }
    list.collecting = system.declare([source])
    expect(await collect()).toMatchObject({ outcome: 'failed', problem: expect.stringMatching(/needs a key/) })
    expect(requests).toEqual([])
    const sku = (region: string) => ({
      skuId: region, description: `Nvidia L4 GPU running in ${region}`, serviceRegions: [region],
      category: { resourceFamily: 'Compute', resourceGroup: 'GPU', usageType: 'OnDemand' },
      pricingInfo: [{ pricingExpression: { usageUnit: 'h', tieredRates: [{ unitPrice: { currencyCode: 'USD', units: '0', nanos: 690921600 } }] } }],
    }) // biome-ignore format: one thing after another
    list.answer = (request, response) => {
      const token = new URL(request.url!, system.base).searchParams.get('pageToken')
      const [region, nextPageToken] = { a: ['b', 'c'], c: ['d', ''] }[token ?? ''] ?? ['a', 'a']
      response.end(JSON.stringify({ skus: [sku(region!)], nextPageToken }))
    }
    list.collecting = system.declare([source], { PRICETAPE_SOURCE_KEYS: `${name}=geheim` })
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({ outcome: 'changed', published: 3 })
    expect(requests.map(({ url, headers }) => [url, headers['x-goog-api-key'], headers.authorization])).toEqual([
      ['/skus?currencyCode=USD', 'geheim', undefined],
      ['/skus?currencyCode=USD&pageToken=a', 'geheim', undefined],
      ['/skus?currencyCode=USD&pageToken=c', 'geheim', undefined],
    ])
  }) // biome-ignore format: one thing after another

  it('can be a file beside the list of sources', async () => {
    list.collecting = system.declare([{ source: name, format: 'curated', url: 'by-hand.csv' }])
    writeFileSync(
      join(system.folder, 'by-hand.csv'),
      `provider,resource,dimension,price,per\n${name},m,input_tokens,3,1000000\n`,
    )
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'file', published: 1 })
    expect(await prices()).toEqual({ 'm input_tokens': '0.000003' })
  })

  it('can be many pages on one host, and half of them are none', async () => {
    list.collecting = system.declare([{ source: name, format: 'azure', url: `${system.base}/pages?page=1` }])
    const item = (page: number) => ({
      currencyCode: 'USD', retailPrice: page, unitOfMeasure: '1 Hour', type: 'Consumption', armRegionName: 'westeurope',
      armSkuName: `Standard_N${page}`, productName: 'Virtual Machines N Series', skuName: `N${page}`, meterName: `N${page}`,
    }) // biome-ignore format: one thing after another
    let broken = false
    list.answer = (request, response) => {
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
    list.answer = (_, response) =>
      response.end(JSON.stringify({ Items: [item(1)], NextPageLink: 'http://example.com/next' }))
    expect(await collect(plus(start, 80 * MINUTE))).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/another host/),
    })
    expect(Object.keys(await prices())).toHaveLength(4)
  })
})
