import { describe, expect, it } from 'vitest'
import { dayOf, tokensOf } from '../../src/catalog/facts/fact-rules.ts'
import type { ParserResult } from '../../src/collectors/index.ts'
import { parseAs } from './support.ts'

const facts = ({ facts = [] }: ParserResult): string[] =>
  facts.map(({ provider, resource, fact, value }) => `${provider} ${resource} ${fact} ${value}`)

describe('facts beside prices', () => {
  it('are read of models.dev: context window, output limit and day of release', () => {
    const model = { cost: { input: 1, output: 2 }, limit: { context: 400_000, output: 128_000 } }
    const read = parseAs('models-dev')({
      openai: { name: 'OpenAI', models: { 'gpt-5': { ...model, release_date: '2025-08-07' } } },
      other: { name: 'Other', models: { m: { cost: { input: 1 }, limit: { context: 0 }, release_date: 'soon' } } },
    })
    expect(facts(read)).toEqual([
      'openai gpt-5 context 400000',
      'openai gpt-5 output 128000',
      'openai gpt-5 released 2025-08-07',
    ])
  })

  it('are read of the lists of OpenRouter, Vercel, Novita and Requesty', () => {
    const openrouter = parseAs('openrouter')({
      data: [
        {
          ...{ id: 'openai/gpt-5', created: 1754587413, context_length: 400_000 },
          ...{
            top_provider: { max_completion_tokens: 128_000 },
            pricing: { prompt: '0.00000125', completion: '0.00001' },
          },
        },
        {
          id: 'a/b',
          context_length: null,
          top_provider: null,
          pricing: { prompt: '0.000001', completion: '0.000002' },
        },
      ],
    })
    expect(facts(openrouter)).toEqual([
      'openrouter openai/gpt-5 context 400000',
      'openrouter openai/gpt-5 output 128000',
      'openrouter openai/gpt-5 released 2025-08-07',
    ])
    const vercel = parseAs('vercel-ai-gateway')({
      data: [
        {
          ...{
            id: 'openai/gpt-5',
            created: 1755815280,
            released: 1754524800,
            context_window: 400_000,
            max_tokens: 128_000,
          },
          pricing: { input: '0.00000125', output: '0.00001' },
        },
      ],
    })
    expect(facts(vercel)).toEqual([
      'vercel openai/gpt-5 context 400000',
      'vercel openai/gpt-5 output 128000',
      'vercel openai/gpt-5 released 2025-08-07',
    ])
    const price = { price_per_m_decimal: '0.15' }
    const novita = { id: 'm', context_size: 131_072, pricing: { prompt: price, completion: price } }
    expect(facts(parseAs('novita')({ data: [novita] }))).toEqual(['novita m context 131072'])
    const requesty = { id: 'm', context_window: 8192, input_price: 0.000001, output_price: 0.000002 }
    expect(facts(parseAs('requesty')({ data: [requesty] }))).toEqual(['requesty m context 8192'])
  })

  it('are read of LiteLLM and genai-prices, under the names that their prices have', () => {
    const cost = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
    const litellm = parseAs('litellm')({
      'groq/llama': { litellm_provider: 'groq', max_input_tokens: 131072, max_output_tokens: '32768', ...cost },
      'bedrock/us-east-1/m': { litellm_provider: 'bedrock', max_input_tokens: 8000, ...cost },
    })
    expect(facts(litellm)).toEqual(['groq llama context 131072', 'groq llama output 32768'])
    const model = { id: 'claude-2', context_window: 200_000, prices: { input_mtok: 8 } }
    expect(facts(parseAs('genai-prices')([{ id: 'anthropic', name: 'Anthropic', models: [model] }]))).toEqual([
      'anthropic claude-2 context 200000',
    ])
  })

  it('are only what can be a number of tokens or a day', () => {
    expect([128_000, '128000', 0, -1, 1.5, '1e3', null, {}, 1e12].map(tokensOf)).toEqual([
      ...['128000', '128000'],
      ...Array(7).fill(undefined),
    ])
    expect(['2025-08-07', '2025-08', 1754587413].map(dayOf)).toEqual(['2025-08-07', '2025-08', '2025-08-07'])
    expect(['2025', '2025-13-01', '0001-01-01', 'soon', 0, 1, Number.NaN, 1754587413000, null].map(dayOf)).toEqual(
      Array(9).fill(undefined),
    )
  })
})
