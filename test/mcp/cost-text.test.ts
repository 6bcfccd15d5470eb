import { describe, expect, it } from 'vitest'
import { costs } from '../../clients/typescript/src/cost/index.ts'
import { comparedCosts, costsText, totalText } from '../../src/mcp/cost-text-rules.ts'
import { added, comparable, sellerTotals } from '../../src/mcp/reprice-rules.ts'
import { priceRow as row } from './price-row.ts'

const usage = { items: [{ dimension: 'input_tokens', quantity: 1000 }], requests: 1_000_000 }
const dear = (price: string) => row({ provider: 'dear', price })

describe('what a usage costs, in words', () => {
  it('has a total for each seller and the price of each item, with what is not in it', () => {
    const items = [...usage.items, { dimension: 'web_searches', quantity: 2 }]
    const rows = [row({ price: '0.0000025' }), row({ price: '9', pricingTier: { timeOfDay: '16:30Z-00:30Z' } })]
    expect(costsText(costs(rows, { ...usage, items }))).toBe(
      [
        '- acme m: 2,500 USD for what has a price',
        '   1000 input_tokens: 2,500 USD, at 2.5 USD per million tokens (exactly 0.0000025 usd_per_token), source s, recorded 2026-01-01T00:00:00.000Z, another price at other times of the day',
        '   2 web_searches: not included, no price is published',
      ].join('\n'),
    )
    expect(costsText(costs([row({ dimension: 'pages' })], usage))).toBe(
      '- acme m: no price\n   1000 input_tokens: not included, no price is published',
    )
    const cached = { items: [{ dimension: 'cache_read_tokens', quantity: 4 }], tier: { region: 'eu' } }
    expect(costsText(costs([row({ price: '2', pricingTier: { region: 'eu' } })], cached))).toContain(
      '   4 cache_read_tokens as input_tokens: 8 USD, at 2000000 USD per million tokens (exactly 2 usd_per_token) [region eu],',
    )
  })

  it('says how much less or more it cost at another time', () => {
    const now = costs(
      [row({ price: '0.000001' }), dear('0.000003'), row({ provider: 'new', price: '0.000004' })],
      usage,
    )
    const then = costs([row({ price: '0.0000035' }), dear('0.0000029999')], usage)
    const headings = costsText(comparedCosts(now, then))
      .split('\n')
      .filter((line) => !line.startsWith(' '))
    expect(headings).toEqual([
      '1. acme m: 1,000 USD, then 3,500 USD (2,500 USD less now)',
      '2. dear m: 3,000 USD, then 2,999.9 USD (0.1 USD more now)',
      '3. new m: 4,000 USD',
    ])
    const same = comparedCosts(now.slice(0, 1), now)
    expect(costsText(same)).toContain('1. acme m: 1,000 USD, then 1,000 USD (the same)')
    const euro = costs([row({ currency: 'EUR', unit: 'eur_per_token' })], usage)
    expect(costsText(comparedCosts(now.slice(0, 1), euro))).toContain('1. acme m: 1,000 USD, then 1,000 EUR\n')
  })

  it('names each currency, and tells an empty total from zero', () => {
    expect(totalText({ USD: '1234567.005', EUR: '0' })).toBe('1,234,567.005 USD and 0 EUR')
    expect(totalText({})).toBe('no price')
  })
})

describe('what the usages of a model cost together', () => {
  const input = (quantity: number) => ({ items: [{ dimension: 'input_tokens', quantity }] })
  const both = { items: [...input(1).items, { dimension: 'output_tokens', quantity: 2 }] }

  it('is one total for each seller, the cheapest complete one in USD first, then the others by name', () => {
    const rows = [
      row({ provider: 'a-part', price: '0.1' }),
      row({ provider: 'euro', price: '0.1', currency: 'EUR', unit: 'eur_per_token' }),
      row({ provider: 'euro', price: '0.1', currency: 'EUR', unit: 'eur_per_token', dimension: 'output_tokens' }),
      ...['input_tokens', 'output_tokens'].flatMap((dimension) => [
        row({ provider: 'dear', price: '0.3', dimension }),
        row({ provider: 'cheap', price: '0.2', dimension }),
        row({ provider: 'also-cheap', price: '0.20', dimension }),
      ]),
    ]
    const totals = sellerTotals(rows, [both, input(10), both])
    expect(totals.map(({ provider, total, unpriced }) => [provider, total, unpriced])).toEqual([
      ['also-cheap', { USD: '3.2' }, []],
      ['cheap', { USD: '3.2' }, []],
      ['dear', { USD: '4.8' }, []],
      ['a-part', { USD: '1.2' }, ['output_tokens']],
      ['euro', { EUR: '1.6' }, []],
    ])
    expect(totals.map(comparable)).toEqual(['3.2', '3.2', '4.8', undefined, undefined])
  })

  it('adds currency by currency, exactly', () => {
    expect(added({ USD: '0.1', EUR: '1' }, { USD: '0.2', CHF: '3' })).toEqual({ USD: '0.3', EUR: '1', CHF: '3' })
  })
})
