import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compareDecimals } from '../../src/lib/decimal.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { comparePrices } from '../../src/mcp/comparison-rules.ts'
import { findResources, resolveTarget } from '../../src/mcp/name-rules.ts'
import { pricesIn } from '../../src/mcp/period-prices-rules.ts'
import { readPeriod } from '../../src/mcp/period-rules.ts'
import { omittedLines, perMillionTokens } from '../../src/mcp/price-rules.ts'
import { handler, ToolError } from '../../src/mcp/tool.ts'
import { priceRow as row } from './price-row.ts'

describe('the period of a question', () => {
  it.each([
    ['2026-03', '2026-03-01T00:00:00.000Z', '2026-03-31T23:59:59.999Z'],
    ['2028-02', '2028-02-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2026-03-15T12:00:00+02:00', undefined, '2026-03-15T10:00:00.000Z'],
  ])('%s is from %s to %s', (text, from, to) => {
    expect(readPeriod(text)).toEqual(from ? { from, to } : { to })
  })

  it.each(['March', '2026-13', '2026-02-30', '2026-3', ''])('%j is none', (text) => {
    expect(readPeriod(text)).toBeUndefined()
  })
})

describe('prices of a period', () => {
  const old = row({ price: '1', recordedAt: '2026-01-10T00:00:00.000Z' })
  const mid = row({ price: '2', recordedAt: '2026-03-10T00:00:00.000Z' })
  const now = row({ price: '3', recordedAt: '2026-03-20T00:00:00.000Z' })
  const march = '2026-03-01T00:00:00.000Z' as Instant

  it('are all that held at some time in it, each with when it was replaced', () => {
    expect(pricesIn([old, mid, now], { start: [old], from: march })).toMatchObject([
      { price: '1', replacedAt: mid.recordedAt, listedAtEnd: true },
      { price: '2', replacedAt: now.recordedAt, listedAtEnd: true },
      { price: '3', listedAtEnd: true },
    ])
    expect(pricesIn([old, mid, now], { start: [old, mid], from: '2026-03-15T00:00:00.000Z' as Instant })).toMatchObject(
      [{ price: '2' }, { price: '3' }],
    )
  })

  it('show what was served at its beginning and not at its end', () => {
    expect(pricesIn([], { start: [old], from: march })).toMatchObject([{ price: '1', listedAtEnd: false }])
  })

  it('come from the maker first', () => {
    const rows = ['azure', 'openai', 'replicate'].map((provider) => row({ provider }))
    expect(pricesIn(rows, { first: 'openai' }).map(({ provider }) => provider)).toEqual([
      'openai',
      'azure',
      'replicate',
    ])
  })

  it('are the newest ones at one instant', () => {
    expect(pricesIn([old, now, mid])).toMatchObject([{ price: '3' }])
  })
})

describe('a comparison', () => {
  it('ranks exactly, also where floats would be equal', () => {
    const [a, b] = ['0.00000100000000000000001', '0.000001']
    const { ranked } = comparePrices([row({ provider: 'a', price: a }), row({ provider: 'b', price: b })])
    expect(ranked.map(({ provider }) => provider)).toEqual(['b', 'a'])
  })

  it('leaves other currencies, units and tiers out, and says why', () => {
    const { ranked, notCompared } = comparePrices([
      row({ provider: 'a' }),
      row({ provider: 'b' }),
      row({ provider: 'c', currency: 'EUR', unit: 'eur_per_token', price: '0.0000000001' }),
      row({ provider: 'd', currency: 'D_AI_CREDIT', unit: 'credit_per_token', price: '0.0000000001' }),
      row({ provider: 'e', pricingTier: { context: '>200000' }, price: '0.0000000001' }),
    ])
    expect(ranked.map(({ provider }) => provider)).toEqual(['a', 'b'])
    expect(notCompared.map(({ row: { provider }, reason }) => [provider, reason])).toEqual([
      ['c', 'priced in EUR as eur_per_token'],
      ['d', 'priced in D_AI_CREDIT as credit_per_token'],
      ['e', 'another tier: context >200000'],
    ])
  })

  it('compares the tier that was asked for', () => {
    const long = row({ provider: 'e', pricingTier: { context: '>200000' } })
    const { ranked, notCompared } = comparePrices([row({ provider: 'a' }), long], { context: '>200000' })
    expect(ranked).toEqual([long])
    expect(notCompared).toMatchObject([{ reason: 'another tier: standard' }])
  })

  it.each([
    ['0.1', '0.01', 1],
    ['10', '9.99', 1],
    ['0', '0.0', 0],
    ['0.5', '0.50', 0],
    ['1', '2', -1],
    ['0.1', '0.10000000000000000001', -1],
  ])('%s against %s is %i', (a, b, expected) => {
    expect(compareDecimals(a, b)).toBe(expected)
  })
})

describe('the price of a million tokens', () => {
  it('is exact, and there is none for anything else', () => {
    expect(perMillionTokens(row({ price: '0.000000038146947' }))).toBe('0.038146947')
    expect(perMillionTokens(row({ unit: 'credit_per_token', price: '0.00002' }))).toBe('20')
    expect(perMillionTokens(row({ unit: 'usd_per_image', price: '0.04' }))).toBeUndefined()
  })
})

describe('names', () => {
  const resources = [
    { provider: 'openai', resource: 'gpt-5-mini', canonicalResource: 'openai/gpt-5-mini', comparisonResource: 'x' },
    { provider: 'openai', resource: 'gpt-5', canonicalResource: 'openai/gpt-5', comparisonResource: 'x' },
    { provider: 'azure', resource: 'gpt-5', canonicalResource: 'openai/gpt-5', comparisonResource: 'x' },
    { provider: 'bedrock', resource: 'global.gpt5', canonicalResource: null, comparisonResource: 'x' },
  ]
  const members = [
    { provider: 'openai', resource: 'gpt-5' },
    { provider: 'bedrock', resource: 'global.gpt5' },
  ]
  const group = { id: 'g', resource: 'GPT 5', revision: 1, updatedAt: '', members, retired: false }
  const listing = { groups: [group], resources }

  it('are found however they are written, the best match first', () => {
    expect(findResources(listing, 'GPT5').map(({ provider, resource }) => `${provider} ${resource}`)).toEqual([
      'openai gpt-5',
      'azure gpt-5',
      'bedrock global.gpt5',
      'openai gpt-5-mini',
    ])
    expect(findResources(listing, 'mini gpt')).toMatchObject([{ resource: 'gpt-5-mini', group: null }])
    expect(findResources(listing, 'llama')).toEqual([])
  })

  it('stand for a group’s members, or for all who sell a name or canonical id', () => {
    const sellers = (name: string, provider?: string) =>
      resolveTarget(listing, name, provider).sellers.map((seller) => seller.provider)
    expect(sellers('gpt 5')).toEqual(['openai', 'bedrock'])
    expect(sellers('openai/gpt-5')).toEqual(['openai', 'azure'])
    expect(sellers('g', 'bedrock')).toEqual(['bedrock'])
    expect(sellers('gpt')).toEqual([])
    expect(resolveTarget(listing, 'gpt-5').maker).toBe('openai')
  })
})

describe('what an answer leaves out', () => {
  it('is said in one line, where there is any', () => {
    expect(omittedLines(0, 'price', 'name a provider')).toEqual([])
    expect(omittedLines(1, 'price', 'name a provider')).toEqual(['1 more price is left out: name a provider.'])
    expect(omittedLines(2, 'price', 'name a provider')).toEqual(['2 more prices are left out: name a provider.'])
  })
})

describe('the answer of a tool', () => {
  const signal = new AbortController().signal
  const answered = (work: () => Promise<{ text: string; data: Record<string, unknown> }>) =>
    handler({ price: z.string() }, work)({}, { signal })

  it('has only the fields that its shape describes: clients refuse others', async () => {
    expect(await answered(async () => ({ text: 'one', data: { price: '1', newer: true } }))).toEqual({
      content: [{ type: 'text', text: 'one' }],
      structuredContent: { price: '1' },
    })
  })

  it.each([
    [new ToolError('Ask for another time.'), 'Ask for another time.'],
    [new Error('it broke'), 'This tool failed: it broke'],
  ])('is the sentence of an error: %s', async (error, text) => {
    expect(await answered(() => Promise.reject(error))).toEqual({ content: [{ type: 'text', text }], isError: true })
  })
})
