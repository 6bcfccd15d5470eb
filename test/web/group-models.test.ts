import { describe, expect, it } from 'vitest'
import { withCosts } from '../../src/web/pages/prices/cost/row-costs.ts'
import { workloadOf } from '../../src/web/pages/prices/cost/workload.ts'
import { countOf, groupModels, narrowed, opened } from '../../src/web/pages/prices/group-models.ts'
import { unpack } from '../../src/web/pages/prices/unpack.ts'

const kind = (dimension: string, more: object = {}) => ({
  ...{ dimension, unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6, per: 'million tokens' },
  ...more,
})
const [INPUT, OUTPUT, BATCH, CREDITS] = [0, 1, 2, 3]
const resource = (provider: string, name: string, model: number, prices: (number | string)[], source = 's') => ({
  provider,
  resource: name,
  source,
  model,
  prices,
})
const packed = {
  ...{ asOf: '', newest: '', rows: 0, creditProviders: [], providers: { a: 'Seller A' } },
  facts: [],
  instants: ['2026-01-01', '2026-02-01'],
  kinds: [
    kind('input_tokens'),
    kind('output_tokens'),
    kind('input_tokens', { tier: { service: 'batch' } }),
    kind('input_tokens', { currency: 'EUR' }),
  ],
  models: [{ name: 'lone' }, { name: 'twin', group: 'g1', maker: 'a' }, { name: 'young' }],
  resources: [
    resource('a', 'lone', 0, [INPUT, '0.000001', 0, OUTPUT, '0.000002', 0]),
    resource('a', 'twin', 1, [INPUT, '0.000003', 0, OUTPUT, '0.000004', 1]),
    resource('b', 'lab/twin', 1, [INPUT, '0.000002', 0, OUTPUT, '0.000008', 0]),
    resource('b', 'lab/twin', 1, [INPUT, '0.0000025', 0], 't'),
    resource('c', 'twin-eu', 1, [CREDITS, '0.0000001', 0]),
    resource('a', 'young', 2, [BATCH, '0.000001', 1]),
  ],
}
const rows = () => withCosts(unpack(packed).models, workloadOf({ tokens: '3000,0,0,500,0', requests: '1000000' }))
const byCost = ({ cost }: { cost?: { value: number } }) => cost?.value

describe('the cost of a workload in the explorer', () => {
  it('is exact, and absent where a part has no price or another currency', () => {
    expect(rows().map(({ provider, resource, cost }) => [provider, resource, cost?.shown])).toEqual([
      ['a', 'lone', '4,000.00'],
      ['a', 'twin', '11,000.00'],
      ['b', 'lab/twin', '10,000.00'],
      ['b', 'lab/twin', undefined],
      ['c', 'twin-eu', undefined],
      ['a', 'young', undefined],
    ])
  })
})

describe('a row for each model', () => {
  const groups = () => groupModels(rows(), byCost)
  it('has its sellers, the cheapest for the workload first, and the models that most sell come first', () => {
    expect(groups().map(({ resource, sellers }) => [resource, sellers!.map(({ provider }) => provider)])).toEqual([
      ['twin', ['b', 'a', 'b', 'c']],
      ['young', ['a']],
      ['lone', ['a']],
    ])
    // One seller with two sources is one seller.
    expect(groups().map(countOf)).toEqual([3, 1, 1])
  })

  it('has the lowest price in USD of each kind, and the cost at the cheapest', () => {
    const [twin] = groups()
    expect(twin).toMatchObject({
      input: { price: '0.000002' },
      output: { price: '0.000004' },
      cost: { shown: '10,000.00' },
      since: '2026-02-01',
      model: { name: 'twin', group: 'g1', maker: 'Seller A' },
    })
    expect(twin).not.toHaveProperty('cacheRead')
  })

  it('keeps of a search the sellers that have every word, in the same order, with their lowest prices', () => {
    const all = groups()
    expect(narrowed(all, ' ', byCost)).toBe(all)
    const found = narrowed(all, 'TWIN a', byCost)
    expect(found.map(({ resource, sellers }) => [resource, sellers!.map(({ provider }) => provider)])).toEqual([
      ['twin', ['b', 'a', 'b']],
    ])
    const [one] = narrowed(all, 'twin seller', byCost)
    expect(one).toMatchObject({ provider: 'a', input: { price: '0.000003' }, sellers: [{ provider: 'a' }] })
    expect(narrowed(all, 'lone', byCost)).toEqual([all[2]])
    expect(narrowed(all, 'none', byCost)).toEqual([])
  })

  it('opens to show its sellers below it; of one seller there is nothing to open', () => {
    const all = groups()
    const open = new Set(all.map(({ key }) => key))
    expect(opened(all, new Set()).map(({ key }) => key)).toEqual(all.map(({ key }) => key))
    expect(opened(all, open).map(({ resource, isOpen, isInside }) => [resource, isOpen, isInside])).toEqual([
      ['twin', true, undefined],
      ['lab/twin', undefined, true],
      ['twin', undefined, true],
      ['lab/twin', undefined, true],
      ['twin-eu', undefined, true],
      ['young', undefined, undefined],
      ['lone', undefined, undefined],
    ])
  })
})
