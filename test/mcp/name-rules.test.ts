import { describe, expect, it } from 'vitest'
import type { Aliases, PriceRow } from '../../clients/typescript/src/index.ts'
import { comparePrices } from '../../src/mcp/comparison-rules.ts'
import { findResources, resolveTarget } from '../../src/mcp/name-rules.ts'
import { priceText, tierText } from '../../src/mcp/price-rules.ts'
import { priceRow } from './price-row.ts'

const listed = (provider: string, resource: string, canonicalResource: string | null = null) => ({
  provider,
  resource,
  canonicalResource,
})
type Listing = Pick<Aliases, 'groups' | 'resources'>
const listing = (resources: ReturnType<typeof listed>[], groups: object[] = []) =>
  ({ resources, groups }) as unknown as Listing
const found = (query: string, resources: ReturnType<typeof listed>[], groups: object[] = []) =>
  findResources(listing(resources, groups), query).map(({ resource }) => resource)

describe('a search for a resource', () => {
  it('finds exact names first, then spellings, beginnings, parts, and names with all its words', () => {
    const names = [
      'sonnet next to claude 4',
      'my-claude-4-sonnet',
      'claude-4-sonnet-2',
      'claude.4.sonnet',
      'Claude-4-Sonnet',
    ]
    const resources = names.map((name) => listed('p', name))
    expect(found('claude-4-sonnet', resources)).toEqual([...names].reverse())
    expect(found('claude 5', resources)).toEqual([])
    expect(found('claude 44', resources)).toEqual([])
  })

  it('finds the shorter of two names that fit as well', () => {
    expect(found('gpt', [listed('p', 'gpt-4-turbo'), listed('p', 'gpt-4')])).toEqual(['gpt-4', 'gpt-4-turbo'])
  })

  it('finds nothing for a text without letters and digits', () => {
    expect(found('---', [listed('p', 'gpt-4')])).toEqual([])
    expect(found('', [listed('p', 'gpt-4')])).toEqual([])
  })

  it('looks at canonical ids, groups, and names behind their provider', () => {
    const resources = [listed('acme', 'm1', 'maker/model-1'), listed('other', 'm1')]
    const groups = [{ resource: 'The Model', id: 'g', members: [{ provider: 'other', resource: 'm1' }] }]
    const providers = (query: string) =>
      findResources(listing(resources, groups), query).map(({ provider, group }) => [provider, group])
    expect(providers('maker/model-1')).toEqual([['acme', null]])
    expect(providers('the model')).toEqual([['other', 'The Model']])
    expect(providers('acme/m1')).toEqual([['acme', null]])
    expect(providers('other m1')).toEqual([['other', 'The Model']])
  })
})

describe('a name in a question', () => {
  it('means the members of its group and the resources of that name, at one provider where one is named', () => {
    const resources = [listed('acme', 'm1', 'maker/m1'), listed('other', 'x'), listed('third', 'y', 'else/y')]
    const groups = [{ id: 'g1', resource: 'M1', members: [{ provider: 'other', resource: 'x' }] }]
    const all = resolveTarget(listing(resources, groups), ' m1 ')
    expect(all.sellers.map(({ provider }) => provider)).toEqual(['other', 'acme'])
    expect([all.maker, all.group?.id]).toEqual(['maker', 'g1'])
    expect(resolveTarget(listing(resources, groups), 'g1').sellers).toEqual([{ provider: 'other', resource: 'x' }])
    const at = resolveTarget(listing(resources, groups), 'm1', 'other')
    expect([at.sellers.length, at.maker]).toEqual([1, undefined])
    expect(resolveTarget(listing(resources), 'nothing')).toEqual({ group: undefined, maker: undefined, sellers: [] })
  })
})

describe('a comparison of prices', () => {
  const row = (provider: string, more: Partial<PriceRow> = {}): PriceRow => priceRow({ provider, price: '1', ...more })
  const ranked = (rows: PriceRow[], tier?: Record<string, string>) =>
    comparePrices(rows, tier).ranked.map(({ provider }) => provider)

  it('orders equal prices by provider', () => {
    expect(ranked([row('c'), row('a'), row('b', { price: '0.5' })])).toEqual(['b', 'a', 'c'])
  })

  it('compares the currency that most sellers use, the first by name of two', () => {
    const euro = (provider: string) => row(provider, { currency: 'EUR', unit: 'eur_per_token' })
    expect(ranked([row('a'), euro('b'), euro('c')])).toEqual(['b', 'c'])
    expect(ranked([euro('b'), euro('c'), row('a')])).toEqual(['b', 'c'])
    expect(ranked([row('a'), euro('b')])).toEqual(['b'])
    expect(ranked([euro('b'), row('a')])).toEqual(['b'])
  })

  it('takes a tier whatever the order of its conditions', () => {
    const tiered = row('a', { pricingTier: { region: 'eu', context: '>1' } })
    expect(ranked([tiered, row('b')], { context: '>1', region: 'eu' })).toEqual(['a'])
  })
})

describe('a price in an answer', () => {
  it('is per million tokens and exact, or as it is', () => {
    const tokens = { unit: 'usd_per_token', price: '0.00000125', currency: 'USD' }
    expect(priceText(tokens)).toBe('1.25 USD per million tokens (exactly 0.00000125 usd_per_token)')
    expect(priceText({ unit: 'usd_per_image', price: '0.04', currency: 'USD' })).toBe('0.04 USD (usd_per_image)')
    expect(tierText({ context: '>272000', region: 'eu' })).toBe('context >272000, region eu')
    expect(tierText({})).toBe('')
  })
})
