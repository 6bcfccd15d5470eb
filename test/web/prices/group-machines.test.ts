import { describe, expect, it } from 'vitest'
import { groupMachines, machineOf } from '../../../src/web/pages/prices/machines/group-machines.ts'
import { hoursOf } from '../../../src/web/pages/prices/machines/hours.ts'
import { narrowed } from '../../../src/web/pages/prices/table/group-rows.ts'
import { unpack } from '../../../src/web/pages/prices/table/unpack.ts'

const kind = (dimension: string, tier: Record<string, string>, more: object = {}) => ({
  ...{ dimension, unit: 'usd_per_hour', currency: 'USD', tier, places: 0, per: dimension.replace(/s$/, '') },
  ...more,
})
const H100 = { gpu: 'H100', gpus: 8 }
const kinds = [
  kind('instance_hours', { region: 'eu' }, H100),
  kind('instance_hours', { region: 'us' }, H100),
  kind('instance_hours', { region: 'us', service: 'spot' }, H100),
  kind('instance_hours', { region: 'us', service: 'reserved' }, H100),
  kind('gpu_hours', {}),
  kind('gpu_hours', { region: 'eu', instance: 'pod' }, { gpus: 8 }),
  kind('vcpu_hours', { region: 'eu' }),
  kind('instance_hours', { region: 'eu' }, { ...H100, currency: 'EUR' }),
]
const packed = {
  ...{ asOf: '', newest: '', rows: 0, creditProviders: [], providers: { a: 'Seller A' }, facts: [] },
  instants: ['2026-01-01'],
  kinds,
  models: [{ name: 'p5' }, { name: 'H100' }, { name: 'core' }],
  resources: [
    {
      ...{ provider: 'a', resource: 'p5', source: 's', model: 0 },
      prices: [0, '100', 0, 1, '98.32', 0, 2, '40', 0, 3, '50', 0],
    },
    { provider: 'b', resource: 'H100', source: 's', model: 1, prices: [4, '2.5', 0, 5, '12', 0] },
    { provider: 'c', resource: 'core', source: 's', model: 2, prices: [6, '0.04', 0] },
    { provider: 'd', resource: 'euro', source: 's', model: 0, prices: [7, '1', 0] },
  ],
}
const groups = () => groupMachines(unpack(packed).machines)

describe('a row for each number of GPUs', () => {
  it('has its sellers and regions inside, the cheapest first, and those that depend on more last', () => {
    expect(groups().map(({ gpu, gpus, sellers }) => [gpu, gpus, sellers!.length])).toEqual([
      ['H100', 8, 5],
      ['H100', 1, 1],
      ['', undefined, 1],
    ])
    expect(groups()[0]!.sellers!.map(({ machine, region, conditions }) => [machine, region, conditions])).toEqual([
      ['pod', 'eu', ''],
      ['p5', 'us', ''],
      ['p5', 'eu', ''],
      ['p5', 'us', 'reserved'],
      ['euro', 'eu', ''],
    ])
  })

  it('has the lowest prices in USD of the machine, of a GPU and on the spot market, without conditions', () => {
    expect(groups()[0]).toMatchObject({
      hourly: { shown: '96.00' },
      perGpu: { shown: '12.00' },
      spot: { shown: '40.00' },
    })
    expect(groups()[1]).toMatchObject({ hourly: { shown: '2.50' }, perGpu: { shown: '2.50' } })
    expect(groups()[2]).toMatchObject({ hourly: { shown: '0.04' } })
    expect(groups()[2]).not.toHaveProperty('perGpu')
  })

  it('is narrowed to the offers that a search finds', () => {
    const [found, ...others] = narrowed(groups(), 'p5 eu', machineOf)
    expect(others).toEqual([])
    expect(found).toMatchObject({ key: expect.stringContaining('p5'), hourly: { shown: '100.00' }, region: 'eu' })
  })
})

describe('the price of a GPU in a machine', () => {
  const price = (dimension: string, amount: string) => ({
    kind: kind(dimension, {}),
    price: amount,
    value: 0,
    recordedAt: '',
  })
  const shown = (amount: string, gpus?: number) => hoursOf(price('instance_hours', amount), gpus).ofGpu?.shown

  it('is rounded to four decimals, and exact where it has no more', () => {
    expect([shown('98.32', 8), shown('1', 3), shown('2', 3), shown('0.0001', 8), shown('16', 8)]).toEqual([
      '12.29',
      '0.3333',
      '0.6667',
      '0.00',
      '2.00',
    ])
    expect([shown('16'), shown('16', 0)]).toEqual([undefined, undefined])
  })

  it('is that of the machine, exactly, where the seller says what a GPU costs', () => {
    expect(hoursOf(price('gpu_hours', '2.49'), 8)).toMatchObject({
      ofGpu: { shown: '2.49' },
      ofMachine: { shown: '19.92' },
    })
  })
})
