import { describe, expect, it } from 'vitest'
import { allLines, parseAs } from '../support.ts'

const interval = (price: unknown, from?: string, to?: string, more: object = {}) => ({
  price_usd: price, from, to, unit: 'usd_per_mtok', src: 'https://a.example', confidence: 'verified',
  last_validated: '2026-11-01', ...more,
}) // biome-ignore format: one thing after another

describe('the OpenRouter list of models', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      data: [
        { id: 'anthropic/claude-x.5', pricing: { prompt: '0.000003', inputCacheRead: '0', overrides: [1] } },
        { name: 'x'.repeat(120) }, { id: 'c/d', pricing: 'free' }, { id: 'e/f', pricing: { completion: '0', web_search: 'x' } },
      ],
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('openrouter')(list))).toEqual([
      'provider openrouter OpenRouter',
      'openrouter anthropic/claude-x.5 input_tokens usd_per_token USD {} 0.000003 canonicalResource=anthropic/claude-x-5 @ /data/0/pricing/prompt',
      'openrouter e/f output_tokens usd_per_token USD {} 0 @ /data/3/pricing/completion',
      'unreadable openrouter anthropic/claude-x.5 dimension=cache_read_tokens unit=usd_per_token currency=USD pricingTier={} = "0" @ /data/0/pricing/inputCacheRead',
      'unreadable openrouter c/d = a model without an id or without prices @ /data/2',
      'unreadable openrouter e/f dimension=web_searches unit=usd_per_search currency=USD pricingTier={} = "x" @ /data/3/pricing/web_search',
      'ignored 1: prices under an unknown condition (anthropic/claude-x.5 1)',
      'ignored 1: a zero that says nothing is charged apart (openrouter anthropic/claude-x.5 cache_read_tokens at /data/0/pricing/inputCacheRead)',
      'ignored 2: a model without an id or without prices ({"name":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx)',
      'ignored 1: a price that is not a number (e/f web_searches = "x" at /data/3/pricing/web_search)',
    ])
  })
})

describe('the models.dev catalogue', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      xai: {
        id: 'xai', name: 'xAI',
        models: {
          'grok-4': {
            cost: {
              input: 3, cache_read: 0, glance: 1,
              tiers: [
                { input: 6, tier: { type: 'context', size: 128000 } }, { tier: { type: 'moon', size: 1 } },
                { tier: { type: 'context', size: 1.5 } }, 7,
              ],
            },
          },
          'a/b': { cost: null }, old: { cost: { output: 0, context_over_200k: {} } },
          both: { cost: { input: 1, context_over_200k: {}, tiers: [] } },
        },
      },
      acme: { models: {} },
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('models-dev')(list))).toEqual([
      'provider x-ai xAI',
      'x-ai grok-4 input_tokens usd_per_token USD {} 0.000003 canonicalResource=x-ai/grok-4 @ /xai/models/grok-4/cost/input',
      'x-ai grok-4 input_tokens usd_per_token USD {"context":">128000"} 0.000006 canonicalResource=x-ai/grok-4 @ /xai/models/grok-4/cost/tiers/0/input',
      'x-ai old output_tokens usd_per_token USD {} 0 canonicalResource=x-ai/old @ /xai/models/old/cost/output',
      'x-ai both input_tokens usd_per_token USD {} 0.000001 canonicalResource=x-ai/both @ /xai/models/both/cost/input',
      'unreadable x-ai grok-4 dimension=cache_read_tokens unit=usd_per_token currency=USD pricingTier={} = 0 @ /xai/models/grok-4/cost/cache_read',
      'unreadable x-ai a/b = a model without a price @ /xai/models/a~1b/cost',
      'ignored 1: a zero that means unknown (x-ai grok-4 cache_read_tokens at /xai/models/grok-4/cost/cache_read)',
      'ignored 1: an unknown kind of price: glance (x-ai grok-4 glance)',
      'ignored 3: a tier of an unknown kind (x-ai grok-4: {"tier":{"type":"moon","size":1}})',
      'ignored 1: a model without a price (x-ai a/b)',
      'ignored 1: context_over_200k, which its list calls legacy and often wrong (x-ai old)',
      'ignored 1: a provider without any price (acme)',
    ])
  })
})

describe('the LiteLLM table', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      sample_spec: 1,
      'xai/grok/x': {
        litellm_provider: 'xai', mode: 'chat', input_cost_per_token: 0, output_cost_per_token: 0, cache_read_input_token_cost: 0,
        output_cost_per_second: 1, input_cost_per_second: 0, search_context_cost_per_query: 3, input_dbu_cost_per_token: 1,
        tiered_pricing: { range: [1000], output_cost_per_token: 2e-6 }, glance_pricing: 2, source_cost: 1, cost_note: 'x',
      },
      'other/m': {
        litellm_provider: 'acme', output_cost_per_token: 0, input_cost_per_second: 2,
        tiered_pricing: [
          { range: ['a'] }, { input_cost_per_token: 1 }, null,
          { range: [0, 1], input_cost_per_token: 1e-6, hue_cost_per_token: 1 },
        ],
      },
      speech: { litellm_provider: 'acme', mode: 'audio_speech', output_cost_per_second: 0.5, output_cost_per_token: 0 },
      search: {
        litellm_provider: 'acme', mode: 'search', input_cost_per_query: 0.005,
        search_context_cost_per_query: { search_context_size_medium: 1, search_context_size_huge: 2 },
      },
      rerank: { litellm_provider: 'acme', mode: 'rerank', input_cost_per_query: 0.002 },
      completion: { litellm_provider: 'acme', mode: 'completion', output_cost_per_token: 0 },
      nobody: { litellm_provider: ' ' }, seven: 7,
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('litellm')(list))).toEqual([
      'provider x-ai x-ai',
      'provider acme acme',
      'x-ai grok/x output_tokens usd_per_token USD {"context":">1000"} 0.000002 @ /xai~1grok~1x/tiered_pricing/0/output_cost_per_token',
      'acme other/m output_tokens usd_per_token USD {} 0 @ /other~1m/output_cost_per_token',
      'acme other/m input_tokens usd_per_token USD {} 0.000001 @ /other~1m/tiered_pricing/3/input_cost_per_token',
      'acme speech output_audio_seconds usd_per_second USD {} 0.5 @ /speech/output_cost_per_second',
      'acme search web_searches usd_per_search USD {} 0.005 @ /search/input_cost_per_query',
      'acme search web_searches usd_per_search USD {"quality":"medium"} 1 @ /search/search_context_cost_per_query/search_context_size_medium',
      'acme rerank rerank_queries usd_per_query USD {} 0.002 @ /rerank/input_cost_per_query',
      'acme completion output_tokens usd_per_token USD {} 0 @ /completion/output_cost_per_token',
      'unreadable x-ai grok/x dimension=input_tokens unit=usd_per_token currency=USD pricingTier={} = 0 @ /xai~1grok~1x/input_cost_per_token',
      'unreadable x-ai grok/x dimension=output_tokens unit=usd_per_token currency=USD pricingTier={} = 0 @ /xai~1grok~1x/output_cost_per_token',
      'unreadable x-ai grok/x dimension=cache_read_tokens unit=usd_per_token currency=USD pricingTier={} = 0 @ /xai~1grok~1x/cache_read_input_token_cost',
      'unreadable acme speech dimension=output_tokens unit=usd_per_token currency=USD pricingTier={} = 0 @ /speech/output_cost_per_token',
      'ignored 5: a zero that means there is none (x-ai grok/x input_tokens at /xai~1grok~1x/input_cost_per_token)',
      'ignored 1: a price per second of a chat, which could be of anything (xai/grok/x output_cost_per_second = 1)',
      'ignored 1: a price per search that is not by context size (xai/grok/x)',
      'ignored 1: a price in Databricks units beside the one in dollars (xai/grok/x)',
      'ignored 1: an unknown kind of price: glance_pricing (xai/grok/x glance_pricing = 2)',
      'ignored 1: an unknown kind of price: source_cost (xai/grok/x source_cost = 1)',
      'ignored 1: a price per second of a model, which could be of anything (other/m input_cost_per_second = 2)',
      'ignored 3: a step of tiered_pricing without a range of tokens (other/m: {"range":["a"]})',
      'ignored 1: an unknown kind of price: hue_cost_per_token (other/m hue_cost_per_token = 1)',
      'ignored 1: an unknown kind of price: search_context_size_huge (search search_context_size_huge = 2)',
      'ignored 2: an entry without a provider (nobody)',
    ])
  })
})

describe('the genai-prices list', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = [
      {
        id: 'acme', name: 'Acme AI',
        models: [
          {
            id: 'steps',
            prices: {
              input_mtok: { base: 1, tiers: [{ start: 1000, price: 2 }, { start: 1.5, price: 3 }, 7] },
              output_audio_mtok: { tiers: 3 },
            },
          },
          {
            id: 'timed',
            prices: [
              { constraint: { start_time: '01:00Z', end_time: '05:00Z' }, prices: { input_mtok: 9 } }, { prices: { input_mtok: 2 } },
              { constraint: { start_date: '2026-01-02', start_time: '16:30:00Z', end_time: '00:30:00Z' }, prices: { input_mtok: 1 } },
              { constraint: { start_date: 'soon' }, prices: { input_mtok: 4 } }, { constraint: 3, prices: {} },
              { constraint: { start_time: '16:30' }, prices: { input_mtok: 4 } }, 7, { prices: 3 },
            ],
          },
          { id: 'night', prices: [{ constraint: { start_time: '01:00', end_time: '05:00' }, prices: { output_mtok: 6 } }] },
          {
            id: 'day',
            prices: [
              { constraint: { start_time: '1:30', end_time: 7 }, prices: { output_mtok: 8 } },
              { constraint: { start_date: 7 }, prices: { output_mtok: 9 } },
            ],
          },
          { id: 'none', prices: null }, { id: 'bare', prices: [{ prices: {} }] }, 7,
          { id: 'later', prices: [{ constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 1 } }] },
        ],
      },
      { id: 'empty', models: [] },
    ] // biome-ignore format: one thing after another
    expect(allLines(parseAs('genai-prices')(list))).toEqual([
      'provider acme Acme AI',
      'acme steps input_tokens usd_per_token USD {} 0.000001 @ /0/models/0/prices/input_mtok/base',
      'acme steps input_tokens usd_per_token USD {"context":">1000"} 0.000002 @ /0/models/0/prices/input_mtok/tiers/0',
      'acme timed input_tokens usd_per_token USD {} 0.000002 @ /0/models/1/prices/1/prices/input_mtok',
      'acme timed input_tokens usd_per_token USD {"timeOfDay":"16:30Z-00:30Z"} 0.000001 effectiveFrom=2026-01-02 @ /0/models/1/prices/2/prices/input_mtok',
      'acme night output_tokens usd_per_token USD {"timeOfDay":"01:00Z-05:00Z"} 0.000006 @ /0/models/2/prices/0/prices/output_mtok',
      'unreadable acme steps dimension=input_tokens unit=usd_per_token currency=USD pricingTier={"context":">1.5"} = {"start":1.5,"price":3} @ /0/models/0/prices/input_mtok/tiers/1',
      'unreadable acme steps dimension=input_tokens unit=usd_per_token currency=USD pricingTier={"context":">?"} = [7] @ /0/models/0/prices/input_mtok/tiers/2',
      'unreadable acme steps dimension=output_audio_tokens unit=usd_per_token currency=USD pricingTier={} = {"tiers":3} @ /0/models/0/prices/output_audio_mtok',
      'unreadable acme day = a model without a price in force @ /0/models/3',
      'unreadable acme none = a model without a price in force @ /0/models/4',
      'unreadable acme bare = a model without a price @ /0/models/5/prices/0/prices',
      'unreadable acme later = a model without a price in force @ /0/models/7',
      'ignored 3: a price that is not a number (steps input_tokens = {"start":1.5,"price":3} at /0/models/0/prices/input_mtok/tiers/1)',
      'ignored 4: a condition of an unknown kind (acme timed: {"start_date":"soon"})',
      'ignored 4: prices of an unknown shape (acme timed: {"constraint":3,"prices":{}})',
      'ignored 3: a model without a price in force (acme day)',
      'ignored 1: a model without a price (acme bare)',
      'ignored 1: a model without an id (acme at /0/models/6)',
      'ignored 1: a price that takes effect later: it is read when it does (later input_tokens)',
      'ignored 1: a provider without any price (empty)',
      'announced 2027-01-01T00:00:00.000Z acme later input_tokens usd_per_token USD {} 0.000001 effectiveFrom=2027-01-01 @ /0/models/7/prices/0/prices/input_mtok',
      'next 2027-01-01T00:00:00.000Z',
    ])
  })
})

describe('the AI Price Index', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      models: [
        {
          provider: 'meta-llama', model: 'llama-4-2026-04-05', aliases: [7, 'llama-4'],
          variations: {
            input: [
              interval(1, '2026-01-01', '2026-12-01'), interval(2, '2026-06-01'), interval(3, '2027-06-01'),
              interval(4, '2025-01-01', '2026-11-21'),
            ],
            output: interval(5),
            batch_input: [interval(0.5, undefined, undefined, { unit: 'usd_per_ktok', src: '' })],
            image_per_item: [interval(1, 'x', undefined, { unit: 'usd_per_image', confidence: undefined, last_validated: undefined })],
            embeddings: [interval(1, undefined, undefined, { confidence: 'estimated' })],
            cache_write: [interval(1, '2026-01-01', undefined, { unit: undefined })],
            tier2_output: [], moon: [], cache_read: [null],
          },
        },
        { provider: 'other', model: 'x-20260101', variations: { input: [interval(1)] } },
        { provider: 'acme', model: 'x-2026-01-01', variations: { input: [interval(1)] } },
        { provider: 'acme', model: 'x', variations: { input: [interval(2)] } },
      ],
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('ai-price-index')(list))).toEqual([
      'provider meta meta',
      'provider other other',
      'provider acme acme',
      'meta llama-4-2026-04-05 input_tokens usd_per_token USD {} 0.000002 canonicalResource=meta/llama-4 effectiveFrom=2026-06-01 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/0/variations/input/1',
      'meta llama-4-2026-04-05 output_tokens usd_per_token USD {} 0.000005 canonicalResource=meta/llama-4 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/0/variations/output/0',
      'meta llama-4-2026-04-05 input_tokens usd_per_token USD {"service":"batch"} 0.0005 canonicalResource=meta/llama-4 @ /models/0/variations/batch_input/0',
      'meta llama-4-2026-04-05 output_images usd_per_image USD {} 1 canonicalResource=meta/llama-4 proof={"url":"https://a.example"} @ /models/0/variations/image_per_item/0',
      'other x-20260101 input_tokens usd_per_token USD {} 0.000001 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/1/variations/input/0',
      'acme x-2026-01-01 input_tokens usd_per_token USD {} 0.000001 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/2/variations/input/0',
      'acme x input_tokens usd_per_token USD {} 0.000002 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/3/variations/input/0',
      'ignored 1: a price that takes effect later: it is read when it does (llama-4-2026-04-05 input_tokens)',
      'ignored 1: a price that has ended (meta llama-4-2026-04-05 input)',
      'ignored 1: an estimate of the index (meta llama-4-2026-04-05 embeddings)',
      'ignored 1: an unknown unit: (meta llama-4-2026-04-05 cache_write)',
      'ignored 1: a second tier, whose beginning the index does not give (meta llama-4-2026-04-05 tier2_output)',
      'ignored 1: an unknown kind of price: moon (meta llama-4-2026-04-05 moon)',
      'ignored 1: an interval that is not an object (meta llama-4-2026-04-05 cache_read at /models/0/variations/cache_read/0)',
      'ignored 1: the same price line again with another price: the first was taken (llama-4-2026-04-05 input_tokens: 0.000002, then 0.000001 at /models/0/variations/input/0)',
      'announced 2027-06-01T00:00:00.000Z meta llama-4-2026-04-05 input_tokens usd_per_token USD {} 0.000003 canonicalResource=meta/llama-4 effectiveFrom=2027-06-01 proof={"url":"https://a.example","confidence":"verified","validatedOn":"2026-11-01"} @ /models/0/variations/input/2',
      'next 2027-06-01T00:00:00.000Z',
    ])
  })
})

it.each([
  [{ provider: 'acme', variations: {} }, 'The model at / has no provider, model or variations: the format changed.'],
  [{ models: [{ model: 'm', provider: 'a' }] }, 'The model at /models/0 has no provider, model or variations'],
  [
    {
      prices: [
        { provider: 'a', model: 'm', variation: 'output' },
        { provider: 'a', model: 'm' },
      ],
    },
    'The price at position 1 has no provider, model or variation: the format changed.',
  ],
  [[], 'The answer has no models, variations or prices: the format changed.'],
])('the AI Price Index is refused where it is %j', (data, message) => {
  expect(() => parseAs('ai-price-index')(data)).toThrow(message)
})
