import { describe, expect, it } from 'vitest'
import { parseAs } from '../support.ts'

/** OpenAI's step at 272,000 tokens as each list writes it; Vercel has it inclusive, and Google's as from 200,001. */
const step = (from: number, more: object = {}) => ({ cost: '0.000005', min: from, ...more })
const LISTS: Record<string, unknown> = {
  'genai-prices': [
    { id: 'openai', models: [{ id: 'm', prices: { input_mtok: { base: 2.5, tiers: [{ start: 272_000, price: 5 }] } } }] },
  ],
  'models-dev': {
    openai: { models: { m: { cost: { input: 2.5, tiers: [{ input: 5, tier: { type: 'context', size: 272_000 } }] } } } },
  },
  litellm: {
    m: { litellm_provider: 'openai', input_cost_per_token: 2.5e-6, input_cost_per_token_above_272k_tokens: 5e-6 },
  },
  openrouter: {
    data: [
      { id: 'openai/m', pricing: { prompt: '0.0000025', completion: '0', overrides: [{ min_prompt_tokens: 272_000, prompt: '0.000005' }] } },
    ],
  },
  'vercel-ai-gateway': {
    data: [
      { id: 'openai/m', pricing: { input: '0.0000025', output: '0.0000025', input_tiers: [{ cost: '0.0000025', min: 0, max: 272_000 }, step(272_000)] } },
    ],
  },
  venice: {
    data: [
      { id: 'm', model_spec: { pricing: { input: { usd: 2.5 }, output: { usd: 2.5 }, extended: { context_token_threshold: 272_000, input: { usd: 5 } } } } },
    ],
  },
  curated: {
    prices: [
      { provider: 'openai', resource: 'm', dimension: 'input_tokens', per: 1_000_000, price: 2.5 },
      { provider: 'openai', resource: 'm', dimension: 'input_tokens', per: 1_000_000, price: 5, pricingTier: { context: '>=272000' } },
    ],
  },
} // biome-ignore format: one model a line

const contexts = (format: string, data: unknown) =>
  parseAs(format)(data).observations.flatMap(({ pricingTier: { context }, price }) =>
    context ? [[context, price]] : [],
  )

describe('one threshold', () => {
  it.each(Object.entries(LISTS))('is one tier in %s', (format, data) => {
    expect(contexts(format, data)).toEqual([['>272000', '0.000005']])
  })

  it('is one tier though a list has it one above or one below', () => {
    const written = [271_999, 272_000, 272_001].map((from) =>
      contexts('vercel-ai-gateway', {
        data: [{ id: 'm', pricing: { input: '0.000001', output: '0.000001', input_tiers: [step(from)] } }],
      }),
    )
    // From 271,999 is another threshold: no one writes it so.
    expect(written.map(([line]) => line?.[0])).toEqual(['>271998', '>272000', '>272000'])
  })

  it('makes one line of a step that a list has twice', () => {
    const tier = (context: string, price: number) => ({
      ...{ provider: 'openai', resource: 'm', dimension: 'input_tokens', price },
      pricingTier: { context },
    })
    const read = parseAs('curated')({ prices: [tier('>271999', 5), tier('>272000', 5), tier('>=272000', 6)] })
    expect(read.observations.map(({ pricingTier, price }) => [pricingTier, price])).toEqual([
      [{ context: '>272000' }, '5'],
    ])
    expect(read.ignored.map(({ reason, count }) => [reason, count])).toEqual([
      ['the same price line again', 1],
      ['the same price line again with another price: the first was taken', 1],
    ])
  })
})
