import { describe, expect, it } from 'vitest'
import {
  type AnthropicUsage,
  anthropicItems,
  costOf,
  costs,
  type OpenAiUsage,
  openAiItems,
  type RankedCost,
  type SellerCost,
  type Usage,
} from '../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { priceRow } from '../mcp/price-row.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPythonEach, type PythonAnswer, type PythonTask } from '../support/toolchains/python-client.ts'

type Tier = Record<string, string>
type Cost = {
  costs: (rows: PriceRow[], usage: Usage) => Promise<RankedCost[]>
  costOf: (rows: PriceRow[], usage: Usage) => Promise<SellerCost>
  openAiItems: (usage: OpenAiUsage) => Promise<Usage['items']>
  anthropicItems: (usage: AnthropicUsage) => Promise<Usage['items']>
}

const inTypeScript: Cost = {
  costs: async (rows, usage) => costs(rows, usage),
  costOf: async (rows, usage) => costOf(rows, usage),
  openAiItems: async (usage) => openAiItems(usage),
  anthropicItems: async (usage) => anthropicItems(usage),
}

type QueuedTask = { task: PythonTask; answer: (answer: PythonAnswer<unknown>) => void }
const asked: QueuedTask[] = []

/** Calls of the same moment share a process. */
async function answerAsked(): Promise<void> {
  const batch = asked.splice(0)
  const answers = await callPythonEach<unknown>(batch.map(({ task }) => task))
  for (const [index, { answer }] of batch.entries()) answer(answers[index]!)
}

async function python<T>(call: string, ...given: unknown[]): Promise<T> {
  if (asked.length === 0) setImmediate(answerAsked)
  const { result, error } = await new Promise<PythonAnswer<unknown>>((answer) => {
    asked.push({ task: { call, given }, answer })
  })
  if (error) throw new Error(error.message)
  return result as T
}
const inPython: Cost = {
  costs: (...given) => python('costs', ...given),
  costOf: (...given) => python('cost_of', ...given),
  openAiItems: (usage) => python('openai_items', usage),
  anthropicItems: (usage) => python('anthropic_items', usage),
}

/** A tier, an instant, and whether it holds then. */
const TIMES: [timeOfDay: string, at: string, isHeld: boolean][] = [
  ['16:30Z-00:30Z', '2026-03-02T16:29:59Z', false],
  ['16:30Z-00:30Z', '2026-03-02T16:30:00Z', true],
  ['16:30Z-00:30Z', '2026-03-02T23:59:00Z', true],
  ['16:30Z-00:30Z', '2026-03-03T00:29:00.000Z', true],
  ['16:30Z-00:30Z', '2026-03-03T00:30:00Z', false],
  ['01:00Z-04:00Z,06:00Z-10:00Z', '2026-03-02T05:00:00Z', false],
  ['01:00Z-04:00Z,06:00Z-10:00Z', '2026-03-02T06:00:00Z', true],
  // 2026-03-02 is a Monday; Shanghai is eight hours ahead.
  ['Mo-Fr,!PH:CN 09:00-12:00 Asia/Shanghai', '2026-03-02T01:00:00Z', true],
  ['Mo-Fr,!PH:CN 09:00-12:00 Asia/Shanghai', '2026-03-02T04:00:00Z', false],
  ['Mo-Fr,!PH:CN 09:00-12:00 Asia/Shanghai', '2026-03-01T01:00:00Z', false],
  ['Sa,Su,PH:CN 00:00-24:00 Asia/Shanghai', '2026-03-01T15:59:00Z', true],
  ['Sa,Su,PH:CN 00:00-24:00 Asia/Shanghai', '2026-03-01T16:00:00Z', false],
  ['Fr 22:00-06:00 Europe/Berlin', '2026-03-07T04:59:00Z', true],
  ['Fr 22:00-06:00 Europe/Berlin', '2026-03-06T04:59:00Z', false],
  ['!PH 09:00-10:00 Europe/Berlin', '2026-07-05T07:30:00Z', true],
  ['Sa-Mo 00:00-24:00 Europe/Berlin', '2026-03-02T12:00:00Z', true],
  ['Sa-Mo 00:00-24:00 Europe/Berlin', '2026-03-03T12:00:00Z', false],
  ['peak hours', '2026-03-03T12:00:00Z', false],
  ['Mo-Fr peak', '2026-03-03T12:00:00Z', false],
]

const PRICES: Record<string, string> = {
  input_tokens: '0.000003',
  output_tokens: '0.000015',
  cache_read_tokens: '0.0000003',
  cache_write_tokens: '0.00000375',
}
const row = (dimension: string, price: string, pricingTier: Tier = {}, more: Partial<PriceRow> = {}) =>
  priceRow({ dimension, price, pricingTier, ...more })
const plain = Object.entries(PRICES).map(([dimension, price]) => row(dimension, price))
const chat = [
  { dimension: 'input_tokens', quantity: 1200 },
  { dimension: 'cache_read_tokens', quantity: 1800 },
  { dimension: 'output_tokens', quantity: 500 },
]

/** What each item costs, and for the price of what. */
const partsOf = ({ parts }: SellerCost) => parts.map(({ dimension, cost, chargedAs }) => [dimension, cost, chargedAs])

const CREDIT = 'ACME_AI_CREDIT'
const rate = (dimension: string, price: string) =>
  row(dimension, price, {}, { currency: CREDIT, unit: 'credit_per_token' })
const credit = (price: string, tier: Tier) => row('credits', price, tier, { resource: CREDIT, unit: 'usd_per_credit' })

describe.each([
  { client: 'TypeScript', cost: inTypeScript, skipped: false as boolean | string },
  { client: 'Python', cost: inPython, skipped: lacks('Python 3.9') },
])('what a usage costs, in $client', ({ cost, skipped }) => {
  const test = it.skipIf(skipped)

  test('is exact, for each item and for all requests', async () => {
    const one = await cost.costOf(plain, { items: chat })
    expect(one.total).toEqual({ USD: '0.01164' })
    expect(partsOf(one)).toEqual([
      ['input_tokens', '0.0036', undefined],
      ['cache_read_tokens', '0.00054', undefined],
      ['output_tokens', '0.0075', undefined],
    ])
    const month = await cost.costOf(plain, { items: chat, requests: 2_000_000 })
    expect(month).toMatchObject({ provider: 'acme', resource: 'm', total: { USD: '23280' }, unpriced: [] })
  })

  test('loses no digit where a float would', async () => {
    const rows = [row('input_tokens', '0.0000000381469')]
    const usage = { items: [{ dimension: 'input_tokens', quantity: '12345678901234567890' }], requests: '3' }
    expect((await cost.costOf(rows, usage)).total).toEqual({ USD: '1412848135432.514813529123' })
  })

  test('uses the newest row of a line alone', async () => {
    const newer = { recordedAt: '2026-02-01T00:00:00.000Z' }
    const rows = [row('input_tokens', '1', {}, newer), row('input_tokens', '5')]
    const { total } = await cost.costOf(rows, { items: [{ dimension: 'input_tokens', quantity: 2 }] })
    expect(total).toEqual({ USD: '2' })
  })

  test('charges what has no price of its own like what contains it, and says so', async () => {
    const rows = [row('input_tokens', '2'), row('output_tokens', '3')]
    const items = ['cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cache_read_audio_tokens']
    const all = await cost.costOf(rows, { items: items.map((dimension) => ({ dimension, quantity: 1 })) })
    expect(partsOf(all)).toEqual([
      ['cache_read_tokens', '2', 'input_tokens'],
      ['cache_write_tokens', '2', 'input_tokens'],
      ['reasoning_tokens', '3', 'output_tokens'],
      ['cache_read_audio_tokens', '2', 'input_tokens'],
    ])
  })

  test('leaves out what has no price, with the reason', async () => {
    const rows = [...plain, row('output_images', '0.04', { quality: 'hd' })]
    const { total, unpriced } = await cost.costOf(rows, {
      items: [...chat, { dimension: 'output_images', quantity: 2 }, { dimension: 'web_searches', quantity: '1.50' }],
    })
    expect(total).toEqual({ USD: '0.01164' })
    expect(unpriced).toEqual([
      {
        dimension: 'output_images',
        quantity: '2',
        reason: 'no price in the standard tier, only in: quality hd',
      },
      { dimension: 'web_searches', quantity: '1.5', reason: 'no price is published' },
    ])
  })

  test.each([
    [200_000, '0.6'],
    [200_001, '1.200006'],
    [500_001, '4.500009'],
  ])('charges a request of %i tokens at its step as a whole', async (quantity, total) => {
    const rows = [
      row('input_tokens', '0.000003'),
      row('input_tokens', '0.000006', { context: '>200000' }),
      row('input_tokens', '0.000009', { context: '>500000' }),
    ]
    const found = await cost.costOf(rows, { items: [{ dimension: 'input_tokens', quantity }] })
    expect(found.total).toEqual({ USD: total })
  })

  test('counts cached input towards the step, output not, and takes another size', async () => {
    const rows = [row('output_tokens', '1'), row('output_tokens', '2', { context: '>200000' })]
    const items = [
      { dimension: 'input_tokens', quantity: 0 },
      { dimension: 'output_tokens', quantity: 300_000 },
    ]
    const cached = { dimension: 'cache_read_tokens', quantity: 200_001 }
    expect((await cost.costOf(rows, { items })).total).toEqual({ USD: '300000' })
    expect((await cost.costOf(rows, { items: [...items, cached] })).total).toEqual({ USD: '600000' })
    expect((await cost.costOf(rows, { items, contextTokens: 200_001 })).total).toEqual({ USD: '600000' })
  })

  test('prices a service only where the seller offers it', async () => {
    const rows = [...plain, row('input_tokens', '0.0000015', { service: 'batch' })]
    const batch = await cost.costOf(rows, { items: chat, tier: { service: 'batch' } })
    expect(partsOf(batch)).toEqual([
      ['input_tokens', '0.0018', undefined],
      ['cache_read_tokens', '0.0027', 'input_tokens'],
    ])
    expect(batch.unpriced).toEqual([
      {
        dimension: 'output_tokens',
        quantity: '500',
        reason: 'no price in service batch, only in: the standard tier',
      },
    ])
    const standard = await cost.costOf(rows, { items: chat, tier: { service: 'standard' } })
    expect(standard.total).toEqual({ USD: '0.01164' })
  })

  test('uses the standard price in a region that has none of its own', async () => {
    const rows = [row('input_tokens', '1'), row('input_tokens', '2', { region: 'eu' })]
    const items = [{ dimension: 'input_tokens', quantity: 1 }]
    expect((await cost.costOf(rows, { items, tier: { region: 'eu' } })).total).toEqual({ USD: '2' })
    expect((await cost.costOf(rows, { items, tier: { region: 'us' } })).total).toEqual({ USD: '1' })
    expect((await cost.costOf(rows, { items })).total).toEqual({ USD: '1' })
  })

  test('prices cache writes by how long the entry lives, five minutes where that is not said', async () => {
    const hour = row('cache_write_tokens', '2', { ttl: '1h' })
    const write = (tier?: Tier) => ({
      items: [{ dimension: 'cache_write_tokens', quantity: 1, ...(tier && { tier }) }],
    })
    for (const short of [row('cache_write_tokens', '1'), row('cache_write_tokens', '1', { ttl: '5m' })]) {
      expect((await cost.costOf([short, hour], write())).total).toEqual({ USD: '1' })
      expect((await cost.costOf([short, hour], write({ ttl: '5m' }))).total).toEqual({ USD: '1' })
      expect((await cost.costOf([short, hour], write({ ttl: '1h' }))).total).toEqual({ USD: '2' })
    }
  })

  test('uses a price of the time of day within its windows, days and zone', async () => {
    const items = [{ dimension: 'input_tokens', quantity: 1 }]
    const found = await Promise.all(
      TIMES.map(async ([timeOfDay, at]) => {
        const rows = [row('input_tokens', '1'), row('input_tokens', '9', { timeOfDay })]
        const { total } = await cost.costOf(rows, { items, at })
        return [timeOfDay, at, total.USD === '9']
      }),
    )
    expect(found).toEqual(TIMES)
    const rows = [row('input_tokens', '1'), row('input_tokens', '9', { timeOfDay: '16:30Z-00:30Z' })]
    const [part] = (await cost.costOf(rows, { items })).parts
    expect([part?.cost, part?.variesByTime]).toEqual(['1', true])
    const named = { items, tier: { timeOfDay: '16:30Z-00:30Z' } }
    expect((await cost.costOf(rows, named)).total).toEqual({ USD: '9' })
  })

  test('adds what a seller charges for each request', async () => {
    const rows = [...plain, row('requests', '0.005')]
    expect((await cost.costOf(rows, { items: chat, requests: 10 })).total).toEqual({ USD: '0.1664' })
    const named = await cost.costOf(rows, { items: [{ dimension: 'requests', quantity: 3 }], requests: 2 })
    expect(named.total).toEqual({ USD: '0.03' })
  })

  test.each([
    // What lies below a step that has no price of its own, and each step at its own price.
    [51_200, '9216'],
    [51_200.5, '9216.085'],
    ['600000', '97232'],
  ])('prices each part of a monthly volume of %s at its step', async (quantity, total) => {
    const rows = [
      row('usage', '0.17', { volume: '51200-512000' }),
      row('usage', '0.18', { volume: '0-51200' }),
      row('usage', '0.11', { volume: '>=512000' }),
    ]
    const found = await cost.costOf(rows, { items: [{ dimension: 'usage', quantity }] })
    expect([found.total, found.unpriced]).toEqual([{ USD: total }, []])
  })

  test('counts all requests and items of a line towards its monthly volume, and shows each step', async () => {
    const rows = [
      row('output_tokens', '3'),
      row('input_tokens', '0.5', { volume: '>=1000' }),
      row('input_tokens', '1'),
      row('input_tokens', '0.25', { volume: '>=3000' }),
    ]
    const items = [
      { dimension: 'input_tokens', quantity: 150 },
      { dimension: 'cache_read_tokens', quantity: 200 },
      { dimension: 'output_tokens', quantity: 1 },
    ]
    const { parts, total } = await cost.costOf(rows, { items, requests: 10 })
    expect(parts.map(({ dimension, quantity, row, cost }) => [dimension, quantity, row.price, cost])).toEqual([
      ['input_tokens', '1000', '1', '1000'],
      ['input_tokens', '500', '0.5', '250'],
      ['cache_read_tokens', '1500', '0.5', '750'],
      ['cache_read_tokens', '500', '0.25', '125'],
      ['output_tokens', '1', '3', '30'],
    ])
    expect(total).toEqual({ USD: '2155' })
  })

  test('says which part of a monthly volume has no price, and prices a step that was asked for alone', async () => {
    const rows = [
      row('usage', '2', { volume: '>=750' }),
      row('usage', '9', { volume: 'bulk' }),
      row('usage', '7', { volume: '100-200', region: 'eu' }),
    ]
    const items = [{ dimension: 'usage', quantity: 1000 }]
    const found = await cost.costOf(rows, { items })
    expect(found.total).toEqual({ USD: '500' })
    expect(found.unpriced).toEqual([
      {
        dimension: 'usage',
        quantity: '750',
        reason: 'no price is published for this part of the monthly volume, only for: >=750',
      },
    ])
    const asked = (tier: Tier) => cost.costOf(rows, { items, tier })
    expect((await asked({ volume: 'bulk' })).total).toEqual({ USD: '9000' })
    expect((await asked({ volume: '>=750' })).total).toEqual({ USD: '2000' })
    const eu = await asked({ region: 'eu' })
    expect([eu.total, eu.unpriced[0]?.quantity]).toEqual([{ USD: '700' }, '900'])
  })

  test('converts prices in credits where it is known what a credit costs', async () => {
    const rows = [
      rate('input_tokens', '0.00000121'),
      credit('2', { cloud: 'aws', region: 'us', edition: 'standard' }),
      credit('3', { cloud: 'aws', region: 'us', edition: 'enterprise' }),
      credit('3', { cloud: 'gcp', region: 'us', edition: 'enterprise' }),
    ]
    const items = [{ dimension: 'input_tokens', quantity: 1_000_000 }]
    const standard = await cost.costOf(rows, { items, tier: { edition: 'standard', service: 'standard' } })
    expect(standard.total).toEqual({ USD: '2.42' })
    expect(standard.parts[0]).toMatchObject({ currency: 'USD', cost: '2.42', credit: rows[1], row: rows[0] })
    expect((await cost.costOf(rows, { items, tier: { edition: 'enterprise' } })).total).toEqual({ USD: '3.63' })

    const [any, ...others] = await cost.costs(rows, { items })
    expect(others).toEqual([])
    expect([any?.resource, any?.total]).toEqual(['m', { [CREDIT]: '1.21' }])
    expect(any?.parts[0]?.unconverted).toBe(
      `the price of ${CREDIT} differs by cloud (aws, gcp) and edition (enterprise, standard): name one in the tier`,
    )
  })

  test('leaves a cost in credits whose price is not known, says why, and ranks it below costs in money', async () => {
    const items = [{ dimension: 'input_tokens', quantity: 2 }]
    const seller = { provider: 'money', resource: 'n' }
    const rows = [rate('input_tokens', '3'), row('input_tokens', '5', {}, seller)]
    const found = await cost.costs(rows, { items })
    expect(found.map(({ provider, place, total }) => [provider, place, total])).toEqual([
      ['money', 1, { USD: '10' }],
      ['acme', undefined, { [CREDIT]: '6' }],
    ])
    expect(found[1]?.parts[0]?.unconverted).toBe(`no price of ${CREDIT} is published`)
    const elsewhere = [...rows.slice(0, 1), credit('2', { cloud: 'aws', region: 'us', edition: 'standard' })]
    const asked = await cost.costOf(elsewhere, { items, tier: { region: 'eu' } })
    expect(asked.parts[0]?.unconverted).toBe(`no price of ${CREDIT} is published for region eu`)
    expect(
      (
        await cost.costOf(elsewhere.slice(1), {
          items: [{ dimension: 'credits', quantity: 4 }],
          tier: { cloud: 'aws', region: 'us', edition: 'standard' },
        })
      ).total,
    ).toEqual({ USD: '8' })
  })

  test('keeps currencies apart', async () => {
    const rows = [row('input_tokens', '1'), row('output_tokens', '2', {}, { currency: 'EUR', unit: 'eur_per_token' })]
    const items = ['input_tokens', 'output_tokens'].map((dimension) => ({ dimension, quantity: 1 }))
    expect((await cost.costOf(rows, { items })).total).toEqual({ USD: '1', EUR: '2' })
  })

  test('prices a line in dollars where a seller has it in two currencies', async () => {
    const rows = [row('input_tokens', '1', {}, { currency: 'EUR', unit: 'eur_per_token' }), row('input_tokens', '2')]
    const { total } = await cost.costOf(rows, { items: [{ dimension: 'input_tokens', quantity: 1 }] })
    expect(total).toEqual({ USD: '2' })
  })

  test('ranks sellers by complete totals in one currency, equal ones alike, each once', async () => {
    const of = (provider: string, price: string, more: Partial<PriceRow> = {}) =>
      row('input_tokens', price, {}, { provider, ...more })
    const rows = [
      of('dear', '3'),
      of('twin-b', '2'),
      of('twin-a', '2'),
      of('euro', '1', { currency: 'EUR', unit: 'eur_per_token' }),
      row('output_tokens', '1', {}, { provider: 'other' }),
      of('last', '10'),
      of('renamed', '4', { resource: 'old', renamedTo: 'new', recordedAt: '2025-01-01T00:00:00.000Z' }),
      of('renamed', '5', { resource: 'new' }),
    ]
    const ranked = await cost.costs(rows, { items: [{ dimension: 'input_tokens', quantity: 1 }] })
    expect(ranked.map(({ provider, resource, place, total }) => [provider, resource, place, total])).toEqual([
      ['twin-a', 'm', 1, { USD: '2' }],
      ['twin-b', 'm', 1, { USD: '2' }],
      ['dear', 'm', 3, { USD: '3' }],
      ['renamed', 'new', 4, { USD: '5' }],
      ['last', 'm', 5, { USD: '10' }],
      ['euro', 'm', undefined, { EUR: '1' }],
      ['other', 'm', undefined, {}],
    ])
  })

  test.each([-1, '1e3', 'NaN', '', 0.1 + 0.2 - 0.3])('refuses the quantity %s', async (quantity) => {
    await expect(cost.costOf(plain, { items: [{ dimension: 'input_tokens', quantity }] })).rejects.toThrow(
      'is not a quantity: give a decimal such as 3000 or "0.5".',
    )
  })

  test('reads the usage of OpenAI’s two APIs, whose sums contain their parts', async () => {
    const completions = {
      prompt_tokens: 3000,
      completion_tokens: 900,
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 640, audio_tokens: 60 },
    }
    expect(await cost.openAiItems(completions)).toEqual([
      { dimension: 'input_tokens', quantity: 1876 },
      { dimension: 'cache_read_tokens', quantity: 1024 },
      { dimension: 'input_audio_tokens', quantity: 100 },
      { dimension: 'output_tokens', quantity: 200 },
      { dimension: 'reasoning_tokens', quantity: 640 },
      { dimension: 'output_audio_tokens', quantity: 60 },
    ])
    const responses = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
    }
    expect(await cost.openAiItems(responses)).toEqual([
      { dimension: 'input_tokens', quantity: 6 },
      { dimension: 'cache_read_tokens', quantity: 4 },
      { dimension: 'output_tokens', quantity: 7 },
    ])
  })

  test('reads the usage of Anthropic’s API, whose counts are apart', async () => {
    const usage = {
      input_tokens: 50,
      output_tokens: 503,
      cache_read_input_tokens: 1800,
      cache_creation_input_tokens: 556,
      server_tool_use: { web_search_requests: 2 },
    }
    const rest = [
      { dimension: 'output_tokens', quantity: 503 },
      { dimension: 'web_searches', quantity: 2 },
    ]
    const first = [
      { dimension: 'input_tokens', quantity: 50 },
      { dimension: 'cache_read_tokens', quantity: 1800 },
    ]
    expect(await cost.anthropicItems(usage)).toEqual([
      ...first,
      { dimension: 'cache_write_tokens', quantity: 556, tier: { ttl: '5m' } },
      ...rest,
    ])
    const created = { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 100 }
    expect(await cost.anthropicItems({ ...usage, cache_creation: created })).toEqual([
      ...first,
      { dimension: 'cache_write_tokens', quantity: 456, tier: { ttl: '5m' } },
      { dimension: 'cache_write_tokens', quantity: 100, tier: { ttl: '1h' } },
      ...rest,
    ])
  })
})
