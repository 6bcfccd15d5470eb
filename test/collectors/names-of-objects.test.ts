import { describe, expect, it } from 'vitest'
import { providerSlug } from '../../src/collectors/reading/provider-slugs.ts'
import { parseAs, told } from './support.ts'

const listOf = (list: unknown, price: unknown) => JSON.stringify(list).replace('"HERE":0', `"__proto__":${price}`)

/** Every object has a constructor and a prototype: looked up in a table, such a name is no entry. */
describe('a list with names that every object has', () => {
  it('of OpenRouter is read, and they are unknown', () => {
    const pricing = { prompt: '1', constructor: '2', HERE: 0, toString: '4' }
    expect(told(parseAs('openrouter')(listOf({ data: [{ id: 'constructor/y', pricing }] }, '"3"')))).toEqual([
      'provider openrouter OpenRouter',
      'openrouter constructor/y input_tokens usd_per_token USD {} 1 @ /data/0/pricing/prompt',
      'ignored 1: an unknown kind of price: constructor (constructor/y constructor = "2")',
      'ignored 1: an unknown kind of price: __proto__ (constructor/y __proto__ = "3")',
      'ignored 1: an unknown kind of price: toString (constructor/y toString = "4")',
    ])
  })

  it('of models.dev is read, and they are unknown', () => {
    const models = { m: { cost: { input: 1, valueOf: 2, HERE: 0 } } }
    expect(told(parseAs('models-dev')(listOf({ constructor: { models } }, 3)))).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 0.000001 @ /constructor/models/m/cost/input',
      'ignored 1: an unknown kind of price: valueOf (constructor m valueOf)',
      'ignored 1: an unknown kind of price: __proto__ (constructor m __proto__)',
    ])
  })

  it('of LiteLLM is read, and they are unknown', () => {
    const steps = [{ range: [0], output_cost_per_token: 2, constructor: 3, HERE: 0 }]
    const entry = { litellm_provider: 'Constructor', input_cost_per_token: 1, tiered_pricing: steps }
    expect(told(parseAs('litellm')(listOf({ m: entry }, 4)))).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 1 @ /m/input_cost_per_token',
      'constructor m output_tokens usd_per_token USD {} 2 @ /m/tiered_pricing/0/output_cost_per_token',
      'ignored 1: an unknown kind of price: constructor (m constructor = 3)',
      'ignored 1: an unknown kind of price: __proto__ (m __proto__ = 4)',
    ])
  })

  it('of genai-prices is read, and they are unknown', () => {
    const prices = { input_mtok: 1, constructor: 2, HERE: 0 }
    expect(told(parseAs('genai-prices')(listOf([{ id: 'a', models: [{ id: 'm', prices }] }], 3)))).toEqual([
      'provider a a',
      'a m input_tokens usd_per_token USD {} 0.000001 @ /0/models/0/prices/input_mtok',
      'ignored 1: an unknown kind of price: constructor (a m at /0/models/0/prices)',
      'ignored 1: an unknown kind of price: __proto__ (a m at /0/models/0/prices)',
    ])
  })

  it('of the AI Price Index is read, and they are unknown', () => {
    const price = (unit: string) => ({ price_usd: 1, unit })
    const variations = { input: [price('usd_per_mtok')], output: [price('toString')], constructor: [], HERE: 0 }
    expect(told(parseAs('ai-price-index')(listOf({ provider: 'constructor', model: 'm', variations }, '[]')))).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 0.000001 @ /variations/input/0',
      'ignored 1: an unknown unit: toString (constructor m output)',
      'ignored 1: an unknown kind of price: constructor (constructor m constructor)',
      'ignored 1: an unknown kind of price: __proto__ (constructor m __proto__)',
    ])
  })

  it('may have a provider with such a name', () => {
    expect(['constructor', ' Constructor ', '__proto__'].map(providerSlug)).toEqual([
      'constructor',
      'constructor',
      'proto__',
    ])
  })
})
