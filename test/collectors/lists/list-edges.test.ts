import { describe, expect, it } from 'vitest'
import { allLines, ignored, lines, parseAs } from '../support.ts'

const azure = (more: object) => ({
  Items: [
    {
      currencyCode: 'USD', retailPrice: 2, type: 'Consumption', productName: 'Azure OpenAI', skuName: 'gpt-5', meterId: 'm',
      serviceName: 'Foundry', unitOfMeasure: '1M', ...more,
    },
  ],
}) // biome-ignore format: one thing after another
const azureLines = (more: object) => lines(parseAs('azure')(azure(more)))

describe('the Azure Retail Prices', () => {
  it('price tokens only where they count them: hours of a model are hours', () => {
    expect(azureLines({ meterName: 'gpt-5 inp Token' })).toEqual(['gpt-5 input_tokens usd_per_token {} 0.000002'])
    expect(azureLines({ meterName: 'gpt-5 cache inp Tokens' })).toEqual([
      'gpt-5 cache_read_tokens usd_per_token {} 0.000002',
    ])
    expect(azureLines({ meterName: 'gpt-5 inp Tokens', unitOfMeasure: '1 Hour' })).toEqual([
      'Azure OpenAI / gpt-5 inp Tokens usage usd_per_hour {"sku":"m"} 2',
    ])
  })

  it('have begun at the instant at which they begin', () => {
    const more = { meterName: 'gpt-5 inp Tokens', effectiveStartDate: '2026-11-21T00:00:00Z' }
    expect(azureLines(more)).toEqual(['gpt-5 input_tokens usd_per_token {} 0.000002'])
  })
})

describe('an AWS offer file', () => {
  it('has terms that have begun at the instant at which they begin', () => {
    const term = {
      effectiveDate: '2026-11-21T00:00:00Z',
      priceDimensions: { R: { unit: 'GB', pricePerUnit: { USD: '1' } } },
    }
    const file = { products: { S: { attributes: {} } }, terms: { OnDemand: { S: { T: term } } } }
    expect(lines(parseAs('aws')(file))).toEqual(['S usage usd_per_gb {"sku":"S"} 1'])
  })
})

describe('the LiteLLM table', () => {
  const entry = (more: object) => ({ litellm_provider: 'xai', ...more })

  it('may name a model as its provider', () => {
    expect(lines(parseAs('litellm')({ xai: entry({ input_cost_per_token: 1 }) }))).toEqual([
      'xai input_tokens usd_per_token {} 1',
    ])
  })

  it('prices searches by the query alone, and sizes by their whole names', () => {
    const search = entry({
      mode: 'search',
      input_cost_per_token: 1,
      search_context_cost_per_query: { xsearch_context_size_low: 2, search_context_size_lower: 3 },
    })
    const read = parseAs('litellm')({ m: search })
    expect(lines(read)).toEqual(['m input_tokens usd_per_token {} 1'])
    expect(ignored(read)).toEqual({
      'an unknown kind of price: xsearch_context_size_low': 1,
      'an unknown kind of price: search_context_size_lower': 1,
    })
  })
})

describe('the AI Price Index', () => {
  const input = (...prices: object[]) => ({ input: prices.map((price) => ({ unit: 'usd_per_mtok', ...price })) })
  const model = (name: string, more: object = {}) => ({
    provider: 'mistral',
    model: name,
    variations: input({ price_usd: 1 }),
    ...more,
  })
  const canonical = (...models: object[]) =>
    parseAs('ai-price-index')({ models }).observations.map(({ canonicalResource }) => canonicalResource)

  it('names a model as its alias, or without its day where no other model of the maker is named so', () => {
    expect(canonical(model('x-preview-2026-01-01', { aliases: [7, 'preview', 'x'] }))).toEqual(['mistral/x'])
    expect(canonical(model('7b-2026-01-01', { aliases: [7] }))).toEqual(['mistral/7b'])
    expect(canonical(model('x-2026-01-01', { aliases: 'x' }))).toEqual(['mistral/x'])
    expect(canonical(model('x-2026-01-01'), model('x'), model('y-20260101'))).toEqual([
      'mistral/x-2026-01-01',
      'mistral/x',
      'mistral/y',
    ])
    expect(canonical(model('x-2026-01-01'), model('x', { provider: 'cohere' }))).toEqual(['mistral/x', 'cohere/x'])
    expect(canonical(model('x-2026-01-01-large'))).toEqual(['mistral/x-2026-01-01-large'])
  })

  it('names a price of its list of today without aliases', () => {
    const price = { provider: 'mistral', model: 'x-2026-01-01', variation: 'input', price_usd: 1, unit: 'usd_per_mtok' }
    expect(allLines(parseAs('ai-price-index')({ prices: [price] }))).toEqual([
      'provider mistral mistral',
      'mistral x-2026-01-01 input_tokens usd_per_token USD {} 0.000001 canonicalResource=mistral/x @ /prices/0',
    ])
  })

  it('gives the first of two prices that began on one day, and the later one of two days', () => {
    const prices = (...list: object[]) =>
      lines(parseAs('ai-price-index')({ models: [model('m', { variations: input(...list) })] }))
    const [one, two, three] = [1, 2, 3].map((price_usd) => ({ price_usd }))
    const day = { from: '2026-01-01' }
    expect(prices(one!, two!, three!)).toEqual(['m input_tokens usd_per_token {} 0.000001'])
    expect(prices({ ...one, ...day }, { ...two, ...day })).toEqual(['m input_tokens usd_per_token {} 0.000001'])
    expect(prices(one!, { ...two, ...day })).toEqual(['m input_tokens usd_per_token {} 0.000002'])
    expect(prices({ ...one, from: '2026-01-02' }, { ...two, ...day })).toEqual([
      'm input_tokens usd_per_token {} 0.000001',
    ])
  })

  it('has a second tier only under its own name', () => {
    const variations = { ...input({ price_usd: 1 }), batch_tier2_input: [] }
    expect(ignored(parseAs('ai-price-index')({ models: [model('m', { variations })] }))).toEqual({
      'an unknown kind of price: batch_tier2_input': 1,
    })
  })
})

it.each([
  ['azure', { Items: [] }, 'The list of prices is an empty list.'],
  ['azure', { Items: 3 }, 'The list of prices is not a list: the format changed.'],
  ['azure', { NextPageLink: null }, 'The answer has no `Items`: the format changed.'],
  ['azure', { Count: { Items: [] } }, 'The answer has no `Items`: the format changed.'],
  ['aws', { products: {} }, 'The offer file has no products or no terms: the format changed.'],
  ['aws', { terms: {} }, 'The offer file has no products or no terms: the format changed.'],
  ['litellm', [], 'The answer is not an object of models: the format changed.'],
  ['litellm', { m: {} }, 'No entry names its litellm_provider: the format changed.'],
  ['litellm', { m: { litellm_provider: 'a' } }, 'The answer lists no prices at all.'],
  [
    'ai-price-index',
    { prices: [{ model: 'm', variation: 'input' }] },
    'The price at position 0 has no provider, model or variation: the format changed.',
  ],
])('a list of %s is refused where it is %j', (format, data, message) => {
  expect(() => parseAs(format)(data)).toThrow(message)
})
