import { describe, expect, it } from 'vitest'
import { providerSlug } from '../../../src/collectors/reading/provider-slugs.ts'
import { allLines, parseAs } from '../support.ts'

const listOf = (list: unknown, price: unknown) => JSON.stringify(list).replace('"HERE":0', `"__proto__":${price}`)

/** Every object has a constructor and a prototype: looked up in a table, such a name is not an entry. */
describe('a list with names that every object has', () => {
  it('of OpenRouter is read, and they are unknown', () => {
    const pricing = { prompt: '1', completion: '1', constructor: '2', HERE: 0, toString: '4' }
    expect(allLines(parseAs('openrouter')(listOf({ data: [{ id: 'constructor/y', pricing }] }, '"3"')))).toEqual([
      'provider openrouter OpenRouter',
      'openrouter constructor/y input_tokens usd_per_token USD {} 1 @ /data/0/pricing/prompt',
      'openrouter constructor/y output_tokens usd_per_token USD {} 1 @ /data/0/pricing/completion',
      'ignored 1: an unknown kind of price: constructor (constructor/y constructor = "2")',
      'ignored 1: an unknown kind of price: __proto__ (constructor/y __proto__ = "3")',
      'ignored 1: an unknown kind of price: toString (constructor/y toString = "4")',
    ])
  })

  it('of models.dev is read, and they are unknown', () => {
    const models = { m: { cost: { input: 1, valueOf: 2, HERE: 0 } } }
    expect(allLines(parseAs('models-dev')(listOf({ constructor: { models } }, 3)))).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 0.000001 @ /constructor/models/m/cost/input',
      'ignored 1: an unknown kind of price: valueOf (constructor m valueOf)',
      'ignored 1: an unknown kind of price: __proto__ (constructor m __proto__)',
    ])
  })

  it('of LiteLLM is read, and they are unknown', () => {
    const steps = [{ range: [0], output_cost_per_token: 2, constructor: 3, HERE: 0 }]
    const entry = { litellm_provider: 'Constructor', input_cost_per_token: 1, tiered_pricing: steps }
    expect(allLines(parseAs('litellm')(listOf({ m: entry }, 4)))).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 1 @ /m/input_cost_per_token',
      'constructor m output_tokens usd_per_token USD {} 2 @ /m/tiered_pricing/0/output_cost_per_token',
      'ignored 1: an unknown kind of price: constructor (m constructor = 3)',
      'ignored 1: an unknown kind of price: __proto__ (m __proto__ = 4)',
    ])
  })

  it('of genai-prices is read, and they are unknown', () => {
    const prices = { input_mtok: 1, constructor: 2, HERE: 0 }
    expect(allLines(parseAs('genai-prices')(listOf([{ id: 'a', models: [{ id: 'm', prices }] }], 3)))).toEqual([
      'provider a a',
      'a m input_tokens usd_per_token USD {} 0.000001 @ /0/models/0/prices/input_mtok',
      'ignored 1: an unknown kind of price: constructor (a m at /0/models/0/prices)',
      'ignored 1: an unknown kind of price: __proto__ (a m at /0/models/0/prices)',
    ])
  })

  it('of the AI Price Index is read, and they are unknown', () => {
    const price = (unit: string) => ({ price_usd: 1, unit })
    const variations = { input: [price('usd_per_mtok')], output: [price('toString')], constructor: [], HERE: 0 }
    expect(
      allLines(parseAs('ai-price-index')(listOf({ provider: 'constructor', model: 'm', variations }, '[]'))),
    ).toEqual([
      'provider constructor constructor',
      'constructor m input_tokens usd_per_token USD {} 0.000001 @ /variations/input/0',
      'ignored 1: an unknown unit: toString (constructor m output)',
      'ignored 1: an unknown kind of price: constructor (constructor m constructor)',
      'ignored 1: an unknown kind of price: __proto__ (constructor m __proto__)',
    ])
  })

  it('may have objects in place of texts that cannot be written as one', () => {
    const odd = { toString: 0, valueOf: 0 }
    const prices = { input_mtok: { base: 1, tiers: [{ start: odd, price: 2 }] } }
    const step = '{"start":{"toString":0,"valueOf":0},"price":2}'
    const place = '/0/models/0/prices/input_mtok'
    expect(allLines(parseAs('genai-prices')([{ id: 'a', models: [{ id: 'm', prices }] }]))).toEqual([
      'provider a a',
      `a m input_tokens usd_per_token USD {} 0.000001 @ ${place}/base`,
      `unreadable a m dimension=input_tokens unit=usd_per_token currency=USD pricingTier={"context":">?"} = ${step} @ ${place}/tiers/0`,
      `ignored 1: a price that is not a number (m input_tokens = ${step} at ${place}/tiers/0)`,
    ])
    const disk = { currencyCode: 'USD', type: 'Consumption', retailPrice: 1, productName: 'Disks', skuName: 'P' }
    const items = [
      { ...disk, meterName: 'A', unitOfMeasure: odd },
      { ...disk, meterName: 'B', unitOfMeasure: '1 Hour', skuId: odd, tierMinimumUnits: [odd] },
    ]
    expect(allLines(parseAs('azure')({ Items: items, NextPageLink: null, Count: 2 }))).toEqual([
      'provider azure Microsoft Azure',
      'azure Disks / B usage usd_per_hour USD {"sku":"P"} 1 @ /Items/1',
      'unreadable azure Disks / A = an unknown unit: {"toString":0,"valueOf":0} @ /Items/0',
      'ignored 1: an unknown unit: {"toString":0,"valueOf":0} (azure Disks / A)',
    ])
  })

  it('may not nest its values without end', () => {
    const list = (depth: number) =>
      `{"m":{"litellm_provider":"a","input_cost_per_token":${'['.repeat(depth)}${']'.repeat(depth)}}}`
    for (const depth of [199, 20_000])
      expect(() => parseAs('litellm')(list(depth))).toThrow(
        'The answer has values nested more than 200 deep: its JSON is damaged.',
      )
    expect(() => parseAs('litellm')(list(198))).toThrow('no prices at all')
  })

  it('may have a provider with such a name', () => {
    expect(['constructor', ' Constructor ', '__proto__'].map(providerSlug)).toEqual([
      'constructor',
      'constructor',
      'proto__',
    ])
  })
})
