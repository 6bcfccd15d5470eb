import { describe, expect, it } from 'vitest'
import { MODEL_LISTS } from '../../../src/collectors/formats/model-lists/index.ts'
import { type ParserResult, SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

type Model = Record<string, unknown>

const priced = (key: string, input: string, output: string) => (id: string, one: unknown, other: unknown) => ({
  id,
  [key]: { [input]: one, [output]: other },
})
const prompted = priced('pricing', 'prompt', 'completion')

const signed = (amount: unknown) => (typeof amount === 'string' ? `$${amount}` : amount)
const nano = (amount: unknown) => ({ amount, scale: 9, currency: 'USD' })

/** A model of each list with an input and an output price, where the list has them. */
const MODELS: Record<string, (id: string, input: unknown, output: unknown) => Model> = {
  ...Object.fromEntries(
    ['openrouter', 'sambanova', 'cerebras', 'chutes', 'ovh-ai-endpoints', 'llm-gateway', 'nebius', 'baseten'].map(
      (format) => [format, prompted],
    ),
  ),
  'vercel-ai-gateway': priced('pricing', 'input', 'output'),
  'huggingface-router': (id, input, output) => ({
    id,
    providers: [{ provider: 'novita', status: 'live', is_free: false, pricing: { input, output } }],
  }),
  deepinfra: (id, input, output) => ({
    model_name: id,
    pricing: { type: 'tokens', cents_per_input_token: input, cents_per_output_token: output },
  }),
  novita: (id, input, output) => ({
    id,
    status: 1,
    pricing: { prompt: { price_per_m_decimal: input }, completion: { price_per_m_decimal: output } },
  }),
  requesty: (id, input, output) => ({ id, input_price: input, output_price: output, context_window: 8192 }),
  venice: (id, input, output) => ({
    id,
    model_spec: { name: id, pricing: { input: { usd: input, diem: input }, output: { usd: output, diem: output } } },
  }),
  'io-net': (id, input, output) => ({ id, input_token_price: input, output_token_price: output }),
  avian: priced('pricing', 'input_per_million', 'output_per_million'),
  friendli: priced('pricing', 'input', 'output'),
  synthetic: (id, input, output) => prompted(id, signed(input), signed(output)),
  nearai: (id, input, output) => ({ modelId: id, inputCostPerToken: nano(input), outputCostPerToken: nano(output) }),
  together: (id, input, output) => ({ id, type: 'chat', pricing: { hourly: 0, base: 0, finetune: 0, input, output } }),
}

/** What one dollar per million tokens is in each list, as a number or a text. */
const DOLLAR: Record<string, unknown> = {
  openrouter: '0.000001',
  'vercel-ai-gateway': '0.000001',
  'huggingface-router': 1,
  deepinfra: 0.0001,
  novita: '1',
  sambanova: '0.00000100',
  cerebras: '0.000001',
  chutes: 1,
  requesty: 0.000001,
  venice: 1,
  'ovh-ai-endpoints': '0.00000100',
  'llm-gateway': '0.000001',
  'io-net': 1e-6,
  avian: 1,
  friendli: '0.000001',
  synthetic: '0.000001',
  nearai: 1_000,
  together: 1,
  nebius: '0.000001',
  baseten: '0.000001',
}
const times = (amount: unknown, factor: number) =>
  typeof amount === 'string' ? (Number(amount) * factor).toFixed(12) : Number(amount) * factor

describe.each(MODEL_LISTS)('the list of $format, which its seller publishes', ({ format, list, needed, id }) => {
  const parse = parseAs(format)
  const model = MODELS[format]!
  const one = DOLLAR[format]!
  const listOf = (...models: Model[]) => (list === undefined ? models : { [list]: models })
  const many = (factor: number) =>
    listOf(...Array.from({ length: 12 }, (_, n) => model(`m${n}`, times(one, factor), times(one, factor * 2))))
  const prices = (data: unknown) => lines(parse(data)).map((line) => line.replace(/ usd_per_token \{.*\}/, ''))

  it('gives exact prices per token', () => {
    expect(prices(listOf(model('acme/m', one, times(one, 4))))).toEqual([
      'acme/m input_tokens 0.000001',
      'acme/m output_tokens 0.000004',
    ])
  })

  it.each([
    ['a page that refuses', '<!doctype html><title>403 Forbidden</title>', 'The answer is a web page'],
    ['a refusal as JSON', { error: { code: 403, message: 'Forbidden' } }, /The answer (has no `|is not a list)/],
    ['an empty answer', '', 'The answer is empty'],
    ['a list that is cut off', '[{"id": "m"', 'The answer is cut off'],
    ['a list of something else', listOf('m' as never), 'holds something that is not an object at position 0'],
    ['an empty list', listOf(), 'is an empty list'],
    ['models without prices', listOf({ [id]: 'm' }), `No model has a price \`${needed[0]}\``],
    ['an amount that is not a number', listOf(model('m', 'NaN', 'soon')), 'The answer lists no prices at all'],
  ])('quarantines %s, and says why', (_what, data, reason) => {
    expect(() => parse(data)).toThrow(SnapshotError)
    expect(() => parse(data)).toThrow(reason)
  })

  it.each(needed)('quarantines a list in which no model has %s any more', (key) => {
    const renamed = JSON.stringify(many(1)).replaceAll(`"${key.split('.').at(-1)}"`, '"price_v2"')
    expect(() => parse(renamed)).toThrow(/No model has a price|The answer lists no prices/)
  })

  it.each([1_000, 1 / 1_000, 1_000_000])(
    'quarantines prices that are all %d times as high: the unit changed',
    (factor) => {
      expect(prices(many(1))).toHaveLength(24)
      expect(() => parse(many(factor))).toThrow('the list changed its unit')
    },
  )

  it.each([[times(one, -1)], ['1e-400'], ['NaN'], ['Infinity'], ['1,5'], [true], [[1]]])(
    'takes %j for no price: the model is listed, and its other price is read',
    (amount) => {
      const read = parse(listOf(model('m', amount, one), model('n', one, one)))
      expect(lines(read).filter((line) => line.startsWith('m '))).toEqual(['m output_tokens usd_per_token {} 0.000001'])
      expect(unreadable(read).join()).toContain('m input_tokens')
    },
  )

  it('reads neither of two models of one name with different prices', () => {
    const read = parse(listOf(model('m', one, one), model('n', one, one), model('m', times(one, 2), one)))
    expect(new Set(lines(read).map((line) => line.split(' ')[0]))).toEqual(new Set(['n']))
    expect(ignored(read)).toMatchObject({ 'a name that stands twice with other prices': 2 })
  })

  it('reads a model that stands twice alike once', () => {
    expect(prices(listOf(model('m', one, one), model('m', one, one)))).toHaveLength(2)
  })

  it('lists a model without prices as one whose price is unknown', () => {
    const bare = format === 'huggingface-router' ? { providers: [{ provider: 'x', status: 'live' }] } : {}
    const read = parse(listOf(model('m', one, one), { [id]: 'bare', ...bare }))
    expect(unreadable(read)).toEqual(['bare = a model without an id or without prices'])
  })
})

const short = (read: ParserResult) => lines(read).map((line) => line.replace(/ usd_per_token/, ''))

it('the list of Vercel gives steps by the size of the request, of which the first is the price itself', () => {
  const steps = (first: string, more: string) => [
    { cost: first, min: 0, max: 200001 },
    { cost: more, min: 200001 },
  ]
  const read = parseAs('vercel-ai-gateway')({
    data: [
      {
        id: 'google/gemini-3-pro', type: 'language',
        pricing: {
          input: '0.000002', input_tiers: steps('0.000002', '0.000004'), output: '0.000012', output_tiers: steps('0.000012', '0.000018'),
          input_cache_read: '0.0000002', web_search: '10', varies_by_provider: true,
        },
      },
      { id: 'poolside/laguna-s-free', pricing: { input: '0', output: '0', input_cache_read: '0' } },
      { id: 'odd', pricing: { input: '0.000002', output: '0.000002', input_tiers: [{ cost: '0.000009', max: 1 }, { cost: '1', min: '5' }, 7] } },
      { id: 'gone', deprecated_at: Date.parse('2026-11-20T00:00:00Z'), pricing: { input: '0.000002', output: '0.000002' } },
      { id: 'bfl/flux', pricing: {} },
    ],
  }) // biome-ignore format: one thing after another
  expect(short(read)).toEqual([
    'google/gemini-3-pro input_tokens {} 0.000002',
    'google/gemini-3-pro input_tokens {"context":">200000"} 0.000004',
    'google/gemini-3-pro output_tokens {} 0.000012',
    'google/gemini-3-pro output_tokens {"context":">200000"} 0.000018',
    'google/gemini-3-pro cache_read_tokens {} 0.0000002',
    'poolside/laguna-s-free input_tokens {} 0',
    'poolside/laguna-s-free output_tokens {} 0',
    'odd input_tokens {} 0.000002',
    'odd output_tokens {} 0.000002',
  ])
  expect(ignored(read)).toEqual({
    'an unknown kind of price: web_search': 1,
    'a zero that says nothing is charged apart': 1,
    'a first step that is not the price without steps': 1,
    'a step that does not say from how many tokens on': 2,
    'a model that is no longer served': 1,
    'a model without an id or without prices': 1,
  })
})

it('the router of Hugging Face gives the price of each seller behind it, and zero only where it says free', () => {
  const offer = (provider: string, input: number, output: number, more: object = {}) => ({
    provider, status: 'live', is_free: false, throughput: 39.3, pricing: { input, output }, ...more,
  }) // biome-ignore format: one thing after another
  const read = parseAs('huggingface-router')({
    data: [
      {
        id: 'Qwen/Qwen3.8-27B',
        providers: [
          offer('novita', 0.42, 3), offer('cerebras', 0.99, 1.49), offer('hyperbolic', 0, 0, { is_free: true }), offer('scaleway', 0, 0),
          { provider: 'featherless-ai', status: 'offline', is_free: false }, { status: 'live' }, 7,
        ],
      },
      { id: 'nobody/sells-it', providers: [] },
    ],
  }) // biome-ignore format: one thing after another
  expect(read.observations.map(({ provider, dimension, price, locator }) => [provider, dimension, price, locator].join(' '))).toEqual([
    'huggingface_novita input_tokens 0.00000042 /data/0/providers/0/pricing/input',
    'huggingface_novita output_tokens 0.000003 /data/0/providers/0/pricing/output',
    'huggingface_cerebras input_tokens 0.00000099 /data/0/providers/1/pricing/input',
    'huggingface_cerebras output_tokens 0.00000149 /data/0/providers/1/pricing/output',
    'huggingface_hyperbolic input_tokens 0 /data/0/providers/2/pricing/input',
    'huggingface_hyperbolic output_tokens 0 /data/0/providers/2/pricing/output',
  ]) // biome-ignore format: one thing after another
  expect(read.observations[0]?.canonicalResource).toBe('qwen/qwen3.8-27b')
  expect(read.providers.map(({ name }) => name)).toEqual([
    'Hugging Face (novita)',
    'Hugging Face (cerebras)',
    'Hugging Face (hyperbolic)',
  ])
  expect(ignored(read)).toMatchObject({
    'a zero that does not say that the model is free': 2,
    'an offer that is not live': 1,
    'a model without an offer': 1,
  })
})

describe('the list of DeepInfra', () => {
  const pricing = (more: object = {}) => ({
    type: 'tokens',
    cents_per_input_token: 0.00002,
    cents_per_output_token: 0.00006,
    ...more,
  })
  const parse = (more: object, at?: string, model: object = {}) =>
    parseAs('deepinfra')(
      [
        { model_name: 'm', pricing: pricing(more), ...model },
        { model_name: 'n', pricing: pricing() },
      ],
      { at },
    )
  const ofModel = (read: ParserResult) => short(read).filter((line) => line.startsWith('m ')).map((line) => line.slice(2)) // biome-ignore format: one thing after another

  it('gives caches and services as exact shares of the price of the input', () => {
    const shares = {
      rate_per_input_token_cached: 0.25,
      rate_per_input_token_cache_write: null,
      rate_per_service_tier_priority: 1.5,
      short: '$0.2',
      table: null,
    }
    expect(ofModel(parse(shares))).toEqual([
      'input_tokens {} 0.0000002', 'output_tokens {} 0.0000006', 'cache_read_tokens {} 0.00000005',
      'input_tokens {"service":"priority"} 0.0000003', 'output_tokens {"service":"priority"} 0.0000009',
      'cache_read_tokens {"service":"priority"} 0.000000075',
    ]) // biome-ignore format: one thing after another
  })

  it('takes no share that was rounded for a price', () => {
    const read = parse({ rate_per_input_token_cached: 0.18181818 })
    expect(ofModel(read)).toEqual(['input_tokens {} 0.0000002', 'output_tokens {} 0.0000006'])
    expect(unreadable(read)).toEqual(['m cache_read_tokens {} = "0.18181818 of 0.00002"'])
  })

  it('takes a promotion off, once, until it ends', () => {
    const promotion = { discount: 0.3, discount_ends_at: '2026-12-01T00:00:00Z', rate_per_input_token_cached: 0.5 }
    const during = parse(promotion)
    expect(ofModel(during)).toEqual([
      'input_tokens {} 0.00000014',
      'output_tokens {} 0.00000042',
      'cache_read_tokens {} 0.00000007',
    ])
    expect(during.nextChangeAt).toBe('2026-12-01T00:00:00.000Z')
    expect(ofModel(parse(promotion, '2026-12-01T00:00:00Z'))).toEqual([
      'input_tokens {} 0.0000002',
      'output_tokens {} 0.0000006',
      'cache_read_tokens {} 0.0000001',
    ])
    expect(parse({ discount: 0.3 }).nextChangeAt).toBeUndefined()
  })

  it.each([[{ discount: 1 }], [{ discount: -0.1 }], [{ discount: 'half' }], [{ discount: 0.5, discount_ends_at: 'soon' }],
    [{ full: '$1.2 in $6 out <= 32K, $3 in $15 out > 32K' }], [{ table: { columns: [], rows: [] } }]])('guesses nothing from %j', (more) => {
    const read = parse(more)
    expect(ofModel(read)).toEqual([])
    expect(unreadable(read)).toEqual(['m = a model without an id or without prices'])
  }) // biome-ignore format: one thing after another

  it.each([[{ private: 1 }], [{ expected: '2026-12' }], [{ deprecated: 1_693_526_400 }]])(
    'leaves a model out that is not on sale: %j',
    (model) => {
      expect(ofModel(parse({}, undefined, model))).toEqual([])
      expect(ofModel(parse({}, undefined, { deprecated: 4_102_444_800 }))).toHaveLength(2)
    },
  )

  it('counts prices of other things', () => {
    expect(ignored(parse({ cents_per_sec: 0.05, cents_per_image_unit: 1 }))).toEqual({
      'an unknown kind of price: cents_per_sec': 1,
      'an unknown kind of price: cents_per_image_unit': 1,
    })
  })
})

it('the list of Novita is read in dollars, and not at all where its two notations differ', () => {
  const price = (whole: number, dollars: string) => ({ price_per_m: whole, price_per_m_decimal: dollars })
  const model = (id: string, prompt: object, more: object = {}) => ({
    id,
    status: 1,
    pricing: { prompt, completion: price(5000, '0.5') },
    ...more,
  })
  const read = parseAs('novita')({
    data: [
      model('zai-org/glm-5.3-flash', price(1500, '0.15')), model('odd', price(1500, '0.0015')),
      model('tiered', price(1, '0.0001'), { is_tiered_billing: true }), model('old', price(1, '0.0001'), { status: 2 }),
    ],
  }) // biome-ignore format: one thing after another
  expect(short(read)).toEqual([
    'zai-org/glm-5.3-flash input_tokens {} 0.00000015',
    'zai-org/glm-5.3-flash output_tokens {} 0.0000005',
    'odd output_tokens {} 0.0000005',
  ])
  expect(ignored(read)).toEqual({
    'a price in two notations that differ': 1,
    'a price that is not a number': 1,
    'prices by the size of the request': 1,
    'a model that is not on sale': 1,
  })
})

it('the list of Venice has prices for long requests, and credits that are not dollars', () => {
  const usd = (amount: number) => ({ usd: amount, diem: amount })
  const model = (id: string, extended: unknown) => ({
    id,
    model_spec: { pricing: { input: usd(1.25), output: usd(10), extended } },
  })
  const read = parseAs('venice')({
    data: [
      model('m', { context_token_threshold: 200000, input: usd(2.5), output: usd(15) }), model('odd', { input: usd(9) }),
      { id: 'off', model_spec: { offline: true } },
    ],
  }) // biome-ignore format: one thing after another
  expect(short(read)).toEqual([
    'm input_tokens {} 0.00000125', 'm output_tokens {} 0.00001',
    'm input_tokens {"context":">200000"} 0.0000025', 'm output_tokens {"context":">200000"} 0.000015',
    'odd input_tokens {} 0.00000125', 'odd output_tokens {} 0.00001',
  ]) // biome-ignore format: one thing after another
  expect(ignored(read)).toEqual({ 'prices under an unknown condition': 1, 'a model that is offline': 1 })
})

it('the list of Requesty has prices beside everything else: what may be one and is unknown is counted', () => {
  const model = {
    id: 'm',
    created: 1,
    input_price: 3e-6,
    output_price: 1.5e-5,
    caching_price: 3.75e-6,
    cached_price: 3e-7,
    running_discount: 0.1,
  }
  const read = parseAs('requesty')({ data: [model] })
  expect(short(read)).toEqual([
    'm input_tokens {} 0.000003', 'm output_tokens {} 0.000015', 'm cache_write_tokens {} 0.00000375', 'm cache_read_tokens {} 0.0000003',
  ]) // biome-ignore format: one thing after another
  expect(ignored(read)).toEqual({ 'an unknown kind of price: running_discount': 1 })
})

it('the list of OVHcloud says its currency: prices in another one are not read', () => {
  const model = (id: string, currency?: string) => ({
    id,
    pricing: { prompt: '0.00000074', completion: '0.00000074', image: '0', currency_unit: currency },
  })
  const read = parseAs('ovh-ai-endpoints')({ data: [model('m', 'USD'), model('n', 'EUR')] })
  expect(short(read)).toEqual(['m input_tokens {} 0.00000074', 'm output_tokens {} 0.00000074'])
  expect(unreadable(read)).toEqual(['n = prices in EUR'])
})

it('the list of Together is read by the token, and what it sells by other units is listed without a price', () => {
  const model = (id: string, type: string, pricing: object) => ({ id, object: 'model', type, pricing })
  const read = parseAs('together')([
    model('moonshotai/Kimi-K3', 'chat', {
      base: 0,
      finetune: 0,
      hourly: 0,
      input: 2.7,
      output: 13.5,
      cached_input: 0.27,
    }),
    model('Qwen/Qwen3.5-9B', 'chat', { input: 0.17, output: 0.25, cached_input: 0 }),
    model('hexgrad/Kokoro-82M', 'audio', { input: 4, output: 0 }),
    { id: 'openai/gpt-oss-120b', type: 'chat' },
  ])
  expect(short(read)).toEqual([
    'moonshotai/Kimi-K3 input_tokens {} 0.0000027',
    'moonshotai/Kimi-K3 output_tokens {} 0.0000135',
    'moonshotai/Kimi-K3 cache_read_tokens {} 0.00000027',
    'Qwen/Qwen3.5-9B input_tokens {} 0.00000017',
    'Qwen/Qwen3.5-9B output_tokens {} 0.00000025',
  ])
  expect(unreadable(read)).toEqual([
    'Qwen/Qwen3.5-9B cache_read_tokens {} = 0',
    'hexgrad/Kokoro-82M = a price that is not by the token',
    'openai/gpt-oss-120b = a model without an id or without prices',
  ])
})

it('the list of Friendli is read by the token, until a model ends', () => {
  const model = (id: string, more: object = {}, ends: unknown = null) => ({
    id,
    pricing: { input: '0.00000126', output: '0.00000396', prompt: '0.00000126', completion: '0.00000396', ...more },
    deprecation_date: ends,
  })
  const read = parseAs('friendli')({
    data: [
      model('zai-org/GLM-5.3', { input_cache_read: '0.000000234' }, '2099-01-01T00:00:00Z'),
      model('meta-llama/gone', {}, '2026-08-20T00:00:00Z'),
      model('acme/by-time', { unit_type: 'SECOND' }),
    ],
  })
  expect(short(read)).toEqual([
    'zai-org/GLM-5.3 input_tokens {} 0.00000126',
    'zai-org/GLM-5.3 output_tokens {} 0.00000396',
    'zai-org/GLM-5.3 cache_read_tokens {} 0.000000234',
  ])
  expect(unreadable(read)).toEqual(['acme/by-time = a price that is not by the token'])
  expect(ignored(read)).toMatchObject({ 'a model that is no longer served': 1 })
})

it('the list of Synthetic has dollar signs before its prices', () => {
  const pricing = {
    prompt: '$0.00000055', completion: '$0.00000219', image: '0', request: '0',
    input_cache_reads: '$0.00000011', input_cache_writes: '0',
  } // biome-ignore format: one thing after another
  const read = parseAs('synthetic')({ data: [{ provider: 'synthetic', id: 'hf:zai-org/GLM-4.7', pricing }] })
  expect(short(read)).toEqual([
    'hf:zai-org/GLM-4.7 input_tokens {} 0.00000055',
    'hf:zai-org/GLM-4.7 output_tokens {} 0.00000219',
    'hf:zai-org/GLM-4.7 cache_read_tokens {} 0.00000011',
  ])
})

describe('the list of NEAR AI', () => {
  const price = (amount: unknown, more: object = {}) => ({ amount, scale: 9, currency: 'USD', ...more })
  const model = (modelId: string, more: object = {}) => ({
    modelId,
    inputCostPerToken: price(850),
    outputCostPerToken: price(3300),
    costPerImage: price(0),
    metadata: { verifiable: true, contextLength: 202752, isReady: true },
    ...more,
  })
  const parse = (...models: object[]) => parseAs('nearai')({ models, limit: 1000, offset: 0, total: models.length })
  const rates = (uncachedInput: string, cachedInput: string, output: string) => ({ uncachedInput, cachedInput, output })
  const profile = (more: object = {}) => ({
    version: 1, currency: 'USD', unit: 'million_tokens', longContextThreshold: 272000,
    tiers: {
      default: { short: { ...rates('5.00', '0.50', '30.00'), cacheWrite: '6.25' }, long: rates('10.00', '1.00', '45.00') },
      flex: { short: rates('2.50', '0.0375', '15.00') },
    },
    ...more,
  }) // biome-ignore format: one thing after another

  it('is read in billionths of a dollar, with a cache that is free where it says so', () => {
    const read = parse(
      model('zai-org/GLM-5.1-FP8', { cacheReadCostPerToken: price(0) }),
      model('acme/image', { costPerImage: price(40_000_000) }),
      model('acme/gone', { metadata: { deprecationDate: '2026-10-01' } }),
      model('acme/near', { inputCostPerToken: price(1, { currency: 'NEAR' }) }),
    )
    expect(short(read)).toEqual([
      'zai-org/GLM-5.1-FP8 input_tokens {} 0.00000085', 'zai-org/GLM-5.1-FP8 output_tokens {} 0.0000033',
      'zai-org/GLM-5.1-FP8 cache_read_tokens {} 0',
      'acme/image input_tokens {} 0.00000085', 'acme/image output_tokens {} 0.0000033',
      'acme/near output_tokens {} 0.0000033',
    ]) // biome-ignore format: figures
    expect(unreadable(read).join()).toContain('acme/near input_tokens')
    expect(ignored(read)).toMatchObject({
      'an unknown kind of price: costPerImage': 1,
      'a model that is no longer served': 1,
    })
  })

  it('is read exactly from a profile with services and long requests, and not at all from an unknown one', () => {
    const odd = [
      { version: 2 },
      { currency: 'EUR' },
      { unit: 'thousand_tokens' },
      { longContextThreshold: null },
      { tiers: { batch: {} } },
    ]
    const read = parse(
      model('openai/gpt-5.6-sol', { textPricing: profile() }),
      ...odd.map((more, index) => model(`odd-${index}`, { textPricing: profile(more) })),
    ) // biome-ignore format: one thing after another
    expect(short(read)).toEqual([
      'openai/gpt-5.6-sol input_tokens {} 0.000005', 'openai/gpt-5.6-sol cache_read_tokens {} 0.0000005',
      'openai/gpt-5.6-sol output_tokens {} 0.00003', 'openai/gpt-5.6-sol cache_write_tokens {} 0.00000625',
      'openai/gpt-5.6-sol input_tokens {"context":">272000"} 0.00001',
      'openai/gpt-5.6-sol cache_read_tokens {"context":">272000"} 0.000001',
      'openai/gpt-5.6-sol output_tokens {"context":">272000"} 0.000045',
      'openai/gpt-5.6-sol input_tokens {"service":"flex"} 0.0000025',
      'openai/gpt-5.6-sol cache_read_tokens {"service":"flex"} 0.0000000375',
      'openai/gpt-5.6-sol output_tokens {"service":"flex"} 0.000015',
    ]) // biome-ignore format: figures
    expect(unreadable(read)).toEqual(odd.map((_, index) => `odd-${index} = a profile of prices that is unknown`))
  })

  it('is refused when it may go on', () => {
    expect(() => parse(...Array.from({ length: 1000 }, (_, index) => model(`m${index}`)))).toThrow(
      'may go on behind them',
    )
  })
})
