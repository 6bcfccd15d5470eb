import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PriceRow, Pricetape, priceLines } from '../../clients/typescript/src/index.ts'
import { acceptProposals } from '../../src/aliases/accept-proposals.ts'
import { readSources } from '../../src/collectors/sources-file.ts'
import { silent } from '../../src/lib/process/progress.ts'
import type { ComparedCost } from '../../src/mcp/cost-text-rules.ts'
import type { PriceAnswer, PriceLineAnswer } from '../../src/mcp/schema.ts'
import { importHistory } from '../../src/roles/import-history.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { connectMcp } from '../support/mcp.ts'

type Prices = { asOf: string; startAsOf?: string; prices: PriceAnswer[]; omitted: number }
type Costs = { asOf: string; comparedAsOf?: string; costs: ComparedCost[]; omitted: number }
type Comparison = { asOf: string; ranked: PriceRow[]; notCompared: (PriceRow & { reason: string })[] }

describe('the MCP server, on the real history', () => {
  const db = testDatabase()
  const api = listeningApi(db, { limited: false })
  let mcp: Awaited<ReturnType<typeof connectMcp>>
  let prices: Pricetape

  beforeAll(async () => {
    await importHistory(db.sql, readSources().enabled, { progress: silent })
    await acceptProposals(db.sql, { names: 'all', actor: 'test' })
    mcp = await connectMcp({ PRICETAPE_URL: api.url, PRICETAPE_API_KEY: api.key })
    prices = new Pricetape({ url: api.url, apiKey: api.key })
  })
  afterAll(() => mcp?.client.close())

  it('offers tools that only read, each with the shape of its answer', async () => {
    const { tools } = await mcp.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'compare_group',
      'cost_of_usage',
      'find_resource',
      'list_providers',
      'price_at',
      'price_evidence',
      'price_history',
    ])
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(tool.outputSchema?.type).toBe('object')
    }
    expect(mcp.client.getInstructions()).toContain('asOf')
  })

  it('shows where a price was read, in the words of the list', async () => {
    const { prices: rows } = await prices.walk({ providers: ['openai'], resource: ['gpt-5'], current: true })
    const { contentHash } = rows.find(({ dimension }) => dimension === 'output_tokens')!
    const { data, text } = await mcp.call<{ place: string; address: string }>('price_evidence', { contentHash })
    expect(data).toMatchObject({ contentHash, rank: 'community', address: 'pkg:npm/%40pydantic/genai-prices@0.0.35' })
    expect(data.place).toContain('"output_mtok":10')
    expect(text).toContain('The place, quoted:')
    const missing = await mcp.call('price_evidence', { contentHash: '0'.repeat(64) })
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('price_not_found')])
  })

  it('finds a model by words of its name, and names its group', async () => {
    const { data, text } = await mcp.call<{ matches: { provider: string; resource: string }[] }>('find_resource', {
      query: 'gpt 5 mini',
      provider: 'openai',
    })
    expect(data.matches[0]).toMatchObject({ provider: 'openai', resource: 'gpt-5-mini', group: expect.any(String) })
    expect(text).toContain('openai: gpt-5-mini')
  })

  it('answers what a model cost in a month: the rows of the API at the instant it cites', async () => {
    const { data, text } = await mcp.call<Prices>('price_at', { resource: 'gpt-5', provider: 'openai', at: '2025-12' })
    expect(data).toMatchObject({ asOf: '2025-12-31T23:59:59.999Z', startAsOf: '2025-12-01T00:00:00.000Z', omitted: 0 })
    expect(text).toContain('2025-12-31T23:59:59.999Z')
    const served = (await prices.walk({ providers: ['openai'], asOf: data.asOf, include: ['confirmation'] })).prices
    for (const { perMillionTokens, listedAtEnd, replacedAt, ...row } of data.prices) expect(served).toContainEqual(row)
    expect(
      data.prices.map(({ dimension, price, perMillionTokens }) => ({ dimension, price, perMillionTokens })),
    ).toEqual(
      expect.arrayContaining([
        { dimension: 'input_tokens', price: '0.00000125', perMillionTokens: '1.25' },
        { dimension: 'output_tokens', price: '0.00001', perMillionTokens: '10' },
      ]),
    )
    expect(text).toContain('input_tokens: 1.25 USD per million tokens (exactly 0.00000125 usd_per_token)')
  })

  it('gives the same answer to the same question', async () => {
    const ask = () => mcp.call<Prices>('price_at', { resource: 'claude-sonnet-4-5', at: '2026-03-15T00:00:00Z' })
    const [first, second] = [await ask(), await ask()]
    expect(first.data.prices.length).toBeGreaterThan(0)
    expect(first.data.asOf).toBe('2026-03-15T00:00:00.000Z')
    expect(second).toEqual(first)
  })

  it('gives both prices of a month in which a price changed, and its history', async () => {
    const { prices: rows } = await prices.walk()
    const [now, before] = priceLines(rows).find(
      (line) =>
        line.length > 1 && line.every((row) => row.renamedTo === undefined && row.pricingTier.context === undefined),
    )!
    const { provider, resource, dimension } = now!
    const asked = { resource, provider, dimension }
    const { data } = await mcp.call<Prices>('price_at', { ...asked, at: now!.recordedAt.slice(0, 7) })
    expect(data.prices).toContainEqual(expect.objectContaining({ contentHash: now!.contentHash }))
    expect(data.prices).toContainEqual(
      expect.objectContaining({ contentHash: before!.contentHash, replacedAt: now!.recordedAt }),
    )
    const { data: history } = await mcp.call<{ lines: PriceLineAnswer[] }>('price_history', asked)
    const line = history.lines.find((item) => item.prices.at(-1)?.contentHash === now!.contentHash)
    expect(line?.prices.at(-2)).toMatchObject({ price: before!.price, contentHash: before!.contentHash })
    expect(line?.prices.at(-1)?.change).toMatch(/^[+−][\d.,]+%$/)
  })

  it('says when recording began, for a time before it', async () => {
    const { data, text, isError } = await mcp.call<Prices>('price_at', { resource: 'gpt-5', at: '2025-03' })
    expect(isError).toBe(false)
    expect(data.prices).toEqual([])
    expect(text).toMatch(
      /No price of gpt-5 was published at asOf 2025-03-31T23:59:59\.999Z\. The first one was recorded at 2025-10/,
    )
  })

  it('ranks the sellers of a group by exact price, in one unit, currency and tier', async () => {
    const { groups } = await prices.aliases()
    const group = groups.reduce((a, b) => (b.members.length > a.members.length ? b : a))
    const { data, text } = await mcp.call<Comparison>('compare_group', { group: group.resource })
    expect(data).toMatchObject({ group: { id: group.id, name: group.resource, revision: group.revision } })
    expect(data.ranked.length).toBeGreaterThan(1)
    for (const row of data.ranked)
      expect(row).toMatchObject({ unit: 'usd_per_token', currency: 'USD', pricingTier: EMPTY })
    const numbers = data.ranked.map((row) => Number(row.price))
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(text).toContain(`read at asOf ${data.asOf}`)
    expect(text).toContain(`1. ${data.ranked[0]!.provider} ${data.ranked[0]!.resource}`)
    const served = await prices.walk({ alias: group.id, asOf: data.asOf, include: ['confirmation'] })
    for (const { perMillionTokens: _, ...row } of data.ranked as PriceAnswer[])
      expect(served.prices).toContainEqual(row)
  })

  it('says what a usage costs at each seller, then and now, from rows that the API serves', async () => {
    const usage = { items: [{ dimension: 'input_tokens', quantity: 3000 }], requests: 1000 }
    const { data, text } = await mcp.call<Costs>('cost_of_usage', {
      resource: 'gpt-5',
      ...usage,
      comparedWith: '2025-12',
    })
    const openai = data.costs.find(({ provider }) => provider === 'openai')!
    // 3,000 tokens at 1.25 USD per million, a thousand times.
    expect([openai.total, openai.totalThen]).toEqual([{ USD: '3.75' }, { USD: '3.75' }])
    expect([data.comparedAsOf, data.costs[0]!.place]).toEqual(['2025-12-31T23:59:59.999Z', 1])
    expect(text).toContain('openai gpt-5: 3.75 USD, then 3.75 USD (the same)')
    const served = await prices.walk({ providers: ['openai'], resource: ['gpt-5'], asOf: data.asOf })
    const { row } = openai.parts[0]!
    expect(served.prices.find(({ contentHash }) => contentHash === row.contentHash)).toMatchObject(row)
    const wrong = await mcp.call('cost_of_usage', { resource: 'gpt-5', items: [{ dimension: 'x', quantity: '1e3' }] })
    expect([wrong.isError, wrong.text]).toEqual([true, '1e3 is not a quantity: give a decimal such as 3000 or "0.5".'])
  })

  it('lists the providers', async () => {
    const { data, text } = await mcp.call<{ providers: object[] }>('list_providers')
    expect(data.providers).toContainEqual(expect.objectContaining({ provider: 'anthropic', status: 'active' }))
    expect(text).toContain('anthropic: ')
  })

  it.each([
    ['price_at', { resource: 'gpt-5-minus' }, /Nothing is called gpt-5-minus\. .*/],
    ['price_at', { resource: 'gpt-5', provider: 'nobody' }, /There is no provider nobody: call list_providers/],
    ['price_at', { resource: 'gpt-5', provider: 'anthropic' }, /anthropic does not sell gpt-5\. These do: .*openai/],
    ['price_at', { resource: 'gpt-5', at: 'March' }, /March is not a month \(2026-03\)/],
    ['price_at', { resource: 'gpt-5', at: '2999' }, /2999 is in the future/],
    ['compare_group', { group: 'gpt-5', dimension: 'gpu_hours' }, /These dimensions have prices: .*input_tokens/],
    ['find_resource', {}, /query/],
  ])('%s %j: the error says what to do', async (name, args, message) => {
    const { text, isError } = await mcp.call(name, args)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })

  it('says which setting is wrong when its key is not accepted or nothing answers', async () => {
    const stranger = await connectMcp({ PRICETAPE_URL: api.url, PRICETAPE_API_KEY: `ptk_${'x'.repeat(40)}` })
    expect(await stranger.call('list_providers')).toMatchObject({
      isError: true,
      text: expect.stringContaining('PRICETAPE_API_KEY'),
    })
    await stranger.client.close()
    const lost = await connectMcp(
      { PRICETAPE_URL: 'http://127.0.0.1:9', PRICETAPE_API_KEY: 'ptk_x' },
      'bin/pricetape.js',
    )
    expect(await lost.call('list_providers')).toMatchObject({
      isError: true,
      text: expect.stringContaining('PRICETAPE_URL'),
    })
    await lost.client.close()
  })

  it('writes nothing but the protocol', () => {
    expect(mcp.errors).toEqual([])
    expect(mcp.said()).toBe('')
  })
})
