import { describe, expect, it } from 'vitest'
import { withCosts } from '../../../src/web/pages/prices/cost/row-costs.ts'
import { workloadOf } from '../../../src/web/pages/prices/cost/workload.ts'
import { filtered } from '../../../src/web/pages/prices/explorer/filter.ts'
import { groupModels, modelOf } from '../../../src/web/pages/prices/table/group-models.ts'
import { countOf, narrowed, opened } from '../../../src/web/pages/prices/table/group-rows.ts'
import { unpack } from '../../../src/web/pages/prices/table/unpack.ts'

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
const OWN_WORD = { confirmedBy: 'provider' as const }
const ANNOUNCED = { confirmedBy: 'independent' as const, upcoming: [OUTPUT, '0.000002', 1] }
const packed = {
  ...{ asOf: '', newest: '', rows: 0, creditProviders: [], providers: { a: 'Seller A' } },
  facts: [
    { context: 200_000, released: '2025-03' },
    { context: 1_000_000 },
    { context: 128_000, output: 8_000, released: '2025-02-01' },
  ],
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
    { ...resource('a', 'twin', 1, [INPUT, '0.000003', 0, OUTPUT, '0.000004', 1]), facts: 0, ...ANNOUNCED },
    { ...resource('b', 'lab/twin', 1, [INPUT, '0.000002', 0, OUTPUT, '0.000008', 0]), facts: 1, ...OWN_WORD },
    resource('b', 'lab/twin', 1, [INPUT, '0.0000025', 0], 't'),
    { ...resource('c', 'twin-eu', 1, [CREDITS, '0.0000001', 0]), facts: 2 },
    resource('a', 'young', 2, [BATCH, '0.000001', 1]),
  ],
}
const rows = () => withCosts(unpack(packed).models, workloadOf({ tokens: '3000,0,0,500,0', requests: '1000000' }))

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

  it('converts the credits of a seller at the price that the same seller asks for one', () => {
    const inCredits = {
      ...packed,
      kinds: [kind('input_tokens', { currency: 'A_CREDIT' }), kind('credits', { unit: 'usd_per_credit', places: 0 })],
      resources: [
        resource('a', 'sold', 0, [0, '0.000001', 0]),
        resource('a', 'A_CREDIT', 1, [1, '3', 0]),
        resource('b', 'sold', 0, [0, '0.000001', 0]),
        resource('b', 'A_CREDIT', 1, [1, '5', 0]),
        resource('c', 'sold', 0, [0, '0.000001', 0]),
      ],
    }
    const costs = withCosts(unpack(inCredits).models, workloadOf({ tokens: '1000,0,0,0,0', requests: '1000' }))
    expect(costs.filter((row) => row.resource === 'sold').map(({ provider, cost }) => [provider, cost?.shown])).toEqual(
      [
        ['a', '3.00'],
        ['b', '5.00'],
        ['c', undefined],
      ],
    )
  })
})

describe('a row for each model', () => {
  const groups = () => groupModels(rows())
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
    expect(narrowed(all, ' ', modelOf)).toBe(all)
    const found = narrowed(all, 'TWIN a', modelOf)
    expect(found.map(({ resource, sellers }) => [resource, sellers!.map(({ provider }) => provider)])).toEqual([
      ['twin', ['b', 'a', 'b']],
    ])
    const [one] = narrowed(all, 'twin seller', modelOf)
    expect(one).toMatchObject({ provider: 'a', input: { price: '0.000003' }, sellers: [{ provider: 'a' }] })
    expect(narrowed(all, 'lone', modelOf)).toEqual([all[2]])
    expect(narrowed(all, 'none', modelOf)).toEqual([])
  })

  it('finds a seller by the name of the model, whatever it calls the model itself', () => {
    const own = { ...packed, resources: [...packed.resources, resource('c', 'own-name', 1, [INPUT, '0.000009', 0])] }
    const [found] = narrowed(groupModels(unpack(own).models), 'twin c', modelOf)
    expect(found!.sellers!.map((seller) => seller.resource)).toContain('own-name')
  })

  it('has the facts that its maker states, or else the most of its sellers and the earliest day', () => {
    const [twin] = groups()
    expect(twin!.model.facts).toEqual({ context: 200_000, output: 8_000, released: '2025-03' })
    const others = { ...packed, models: packed.models.map((model) => ({ ...model, maker: 'z' })) }
    const [unknown] = groupModels(unpack(others).models)
    expect(unknown!.model.facts).toEqual({ context: 1_000_000, output: 8_000, released: '2025-02-01' })
    const found = (context: number) =>
      filtered(rows(), { context }).map(({ provider, resource }) => `${provider} ${resource}`)
    expect([found(200_000), found(1_000_000)]).toEqual([['a twin', 'b lab/twin', 'b lab/twin'], ['b lab/twin']])
  })

  it('says of a price what it is announced to change to, and is confirmed where all its sellers are', () => {
    const [twin] = groups()
    expect(twin!.output).toMatchObject({ price: '0.000004', next: { price: '0.000002', at: '2026-02-01' } })
    expect(twin!.input).not.toHaveProperty('next')
    expect(twin).not.toHaveProperty('confirmedBy')
    const confirmed = rows().filter(({ confirmedBy }) => confirmedBy)
    expect(modelOf(confirmed)).toMatchObject({ confirmedBy: 'independent' })
    expect(modelOf([confirmed[1]!])).toMatchObject({ confirmedBy: 'provider' })
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
