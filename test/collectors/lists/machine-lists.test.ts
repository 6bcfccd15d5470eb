import { describe, expect, it } from 'vitest'
import { MACHINE_LISTS } from '../../../src/collectors/formats/model-lists/index.ts'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

type Answer = (machines: [name: string, price: unknown][]) => Record<string, unknown>

/** An answer of each list with prices of one unit an hour, and that unit. */
const ANSWERS: Record<string, { answer: Answer; one: unknown; unit: string }> = {
  'scaleway-servers': {
    answer: (machines) => ({
      servers: Object.fromEntries(machines.map(([name, price]) => [name, { ncpus: 24, gpu: 1, hourly_price: price, monthly_price: 730 }])),
    }),
    one: 1, unit: 'eur_per_instance_hour',
  },
  'lambda-instances': {
    answer: (machines) => ({
      data: Object.fromEntries(machines.map(([name, price]) => [name, { instance_type: { name, price_cents_per_hour: price, specs: { gpus: 1 } }, regions_with_capacity_available: [] }])),
    }),
    one: 100, unit: 'usd_per_instance_hour',
  },
  'ovh-catalog': {
    answer: (machines) => ({
      locale: { currencyCode: 'EUR', taxRate: 0 },
      addons: machines.map(([name, price]) => ({
        planCode: `${name}.consumption`, pricings: [{ interval: 1, intervalUnit: 'hour', price, tax: 0 }], blobs: { technical: { cpu: { cores: 30 } } },
      })),
    }),
    one: 100_000_000, unit: 'eur_per_instance_hour',
  },
  'runpod-gpu-types': {
    answer: (gpus) => ({
      data: { gpuTypes: gpus.map(([id, price]) => ({ id, secureCloud: true, communityCloud: false, securePrice: price, communityPrice: 0.5 })) },
    }),
    one: 1, unit: 'usd_per_gpu_hour',
  },
} // biome-ignore format: samples

/** An object with a value at the end of a way. */
const at = (way: string, value: unknown): object =>
  way.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

describe.each(MACHINE_LISTS)('the list of machines $format', ({ format, list, needed }) => {
  const { answer, one, unit } = ANSWERS[format]!
  const parse = parseAs(format)

  it('gives the price of an hour, exactly', () => {
    const [line] = lines(
      parse(
        answer([
          ['m', one],
          ['n', one],
        ]),
      ),
    )
    expect(line).toMatch(new RegExp(`^m(.consumption)? (instance|gpu)_hours ${unit} {.*} 1$`))
  })

  it.each<[string, unknown, RegExp]>([
    ['a page that refuses', '<html>403', /is a web page/],
    ['a refusal as JSON', { message: 'unauthorized' }, /has no `/],
    ['an empty list', answer([]), /is an empty list/],
    ['a list of another kind', { ...answer([['m', one]]), ...at(list!, 7) }, /is not a list/],
    ['a list of something else', { ...answer([['m', one]]), ...at(list!, /addons|gpu/.test(list!) ? [7] : { m: 7 }) }, /is not an object at position/],
    ['a price that was renamed', JSON.stringify(answer([['m', one]])).replaceAll(/"(hourly_price|price_cents_per_hour|hour|securePrice)"/g, '"v2"'), new RegExp(`No model has a price \`${needed[0]}\``)],
    ['no number at all', answer([['m', 'NaN']]), /no prices at all/],
  ])('quarantines %s, and says why', (_what, data, reason) => {
    expect(() => parse(data)).toThrow(SnapshotError)
    expect(() => parse(data)).toThrow(reason)
  }) // biome-ignore format: one thing after another

  it.each([[-1], [0], ['1e-400'], ['NaN'], [null], [{}]])('takes %j for no price, and lists the machine', (price) => {
    const read = parse(
      answer([
        ['m', price],
        ['n', one],
      ]),
    )
    expect(lines(read)).toHaveLength(1)
    expect(unreadable(read).join()).toMatch(/^m/)
  })
})

/** GPUs of the answers of 2025-06-15, 2025-06-21 and, as far as it is kept, 2026-08-17, which public repositories hold. */
describe('recorded GPUs of RunPod', () => {
  const answer = {
    data: {
      gpuTypes: [
        { id: 'NVIDIA H100 80GB HBM3', displayName: 'H100 SXM', memoryInGb: 80, maxGpuCount: 8, secureCloud: true, communityCloud: true, securePrice: 2.99, communityPrice: 2.69, communitySpotPrice: 1.5, secureSpotPrice: 1.75, clusterPrice: 3.588, threeMonthPrice: 2.811 },
        { id: 'NVIDIA B200', secureCloud: true, communityCloud: false, securePrice: 6.39, communityPrice: 0.5, communitySpotPrice: null, secureSpotPrice: null },
        { id: 'NVIDIA GeForce RTX 3070', secureCloud: false, communityCloud: true, securePrice: 0, communityPrice: 0.13, communitySpotPrice: 0.07, secureSpotPrice: null },
        { id: 'unknown', secureCloud: false, communityCloud: false, securePrice: 0, communityPrice: 0, communitySpotPrice: null, secureSpotPrice: null },
      ],
    },
  } // biome-ignore format: as recorded

  it('have a price in each cloud that has them, and for spot where there is one; a half that fills a gap is not a price', () => {
    const read = parseAs('runpod-gpu-types')(answer)
    expect(lines(read)).toEqual([
      'NVIDIA H100 80GB HBM3 gpu_hours usd_per_gpu_hour {"offer":"secure_cloud"} 2.99',
      'NVIDIA H100 80GB HBM3 gpu_hours usd_per_gpu_hour {"offer":"secure_cloud","service":"spot"} 1.75',
      'NVIDIA H100 80GB HBM3 gpu_hours usd_per_gpu_hour {"offer":"community_cloud"} 2.69',
      'NVIDIA H100 80GB HBM3 gpu_hours usd_per_gpu_hour {"offer":"community_cloud","service":"spot"} 1.5',
      'NVIDIA B200 gpu_hours usd_per_gpu_hour {"offer":"secure_cloud"} 6.39',
      'NVIDIA GeForce RTX 3070 gpu_hours usd_per_gpu_hour {"offer":"community_cloud"} 0.13',
      'NVIDIA GeForce RTX 3070 gpu_hours usd_per_gpu_hour {"offer":"community_cloud","service":"spot"} 0.07',
    ])
    expect(ignored(read)).toEqual({ 'a GPU that neither cloud has': 1 })
    expect([read.providers, read.observations[0]?.locator]).toEqual([
      [{ provider: 'runpod', name: 'RunPod' }],
      '/data/gpuTypes/0/securePrice',
    ])
  })

  it('are refused where the question was, with what it answers to a question that it does not know', () => {
    const refused = { errors: [{ message: 'Cannot query field "securePrice" on type "GpuType".' }] }
    expect(() => parseAs('runpod-gpu-types')(refused)).toThrow('The answer has no `data.gpuTypes`: the format changed.')
    expect(() => parseAs('runpod-gpu-types')({ ...refused, data: null })).toThrow('has no `data.gpuTypes`')
  })
})

it('a list of Scaleway names its zone, and is quarantined where it is one page of several', () => {
  const { answer } = ANSWERS['scaleway-servers']!
  const machines = (count: number) => answer(Array.from({ length: count }, (_, n) => [`PRO${n}`, 2.73]))
  const read = parseAs('scaleway-servers')(machines(99), { options: { zone: 'fr-par-2' } })
  expect(read.observations[0]).toMatchObject({
    resource: 'PRO0',
    currency: 'EUR',
    pricingTier: { region: 'fr-par-2' },
    price: '2.73',
  })
  expect(() => parseAs('scaleway-servers')(machines(100))).toThrow(
    'The answer is one page of several; all were expected.',
  )
  const old = { servers: { A: { hourly_price: 1, end_of_service: true }, B: { hourly_price: 1, spot_price: 2 } } }
  expect(lines(parseAs('scaleway-servers')(old))).toEqual(['B instance_hours eur_per_instance_hour {} 1'])
  expect(ignored(parseAs('scaleway-servers')(old))).toEqual({
    'a machine that is no longer sold': 1,
    'an unknown kind of price: spot_price': 1,
  })
})

it('the catalogue of OVHcloud gives machines by the hour alone, in the currency that it names', () => {
  const addon = (planCode: string, more: object = {}) => ({
    planCode, pricings: [{ intervalUnit: 'hour', price: 280_000_000 }, { intervalUnit: 'month', price: 1 }], blobs: { technical: { cpu: { cores: 30 } } }, ...more,
  })
  const answer = {
    locale: { currencyCode: 'PLN' },
    addons: [addon('h100-380.consumption'), addon('h100-380.monthly.postpaid'), addon('volume.classic.consumption'), addon('ai1.consumption', { blobs: null })],
  }
  const read = parseAs('ovh-catalog')(answer)
  expect(lines(read)).toEqual(['h100-380.consumption instance_hours pln_per_instance_hour {} 2.8'])
  expect(ignored(read)).toEqual({
    'another product, or another term': 2, 'a product that is not a machine': 1, 'a price that is not by the hour': 1,
  })
  expect(() => parseAs('ovh-catalog')({ addons: answer.addons })).toThrow('The answer does not say its currency')
}) // biome-ignore format: samples

describe('the price list of Oracle', () => {
  const parse = parseAs('oracle')
  const product = (partNumber: string, displayName: string, metricName: string, ...prices: object[]) => ({
    partNumber, displayName, metricName, serviceCategory: 'Compute', currencyCodeLocalizations: [{ currencyCode: 'USD', prices: prices.map((price) => ({ model: 'PAY_AS_YOU_GO', ...price })) }],
  }) // biome-ignore format: samples

  it('gives hours of GPUs, and other uses by their part number and volume', () => {
    const read = parse({
      items: [
        product('B93496', 'Compute  - GPU - A10', 'GPU Per Hour', { value: 2 }),
        product('B88317', 'Compute - Standard - E4 - OCPU', 'OCPU Per Hour', { value: 0.025 }),
        product('B88327', 'Outbound Data Transfer', 'Gigabyte Outbound Data Transfer Per Month', { value: 0, rangeMin: 0, rangeMax: 10240 }, { value: 0.0085, rangeMin: 10240, rangeMax: 999999999999999 }),
        product('B90617', 'Transactions', '1,000 Transactions', { value: 0.2, rangeMin: 0, rangeMax: 2.5 }, { value: 0.1, rangeMin: 2.5, rangeMax: 999999999999999 }),
        product('B1', 'Odd', '5K Messages Per Hour', { value: 1 }),
        product('B2', 'Commitment', 'GPU Per Hour', { value: 1, model: 'MONTHLY_COMMIT' }, { value: 1, rangeMin: 'many' }),
        { displayName: 'Nameless' },
      ],
    }) // biome-ignore format: samples
    expect(lines(read)).toEqual([
      'Compute - GPU - A10 gpu_hours usd_per_gpu_hour {"sku":"B93496"} 2',
      'Compute - Standard - E4 - OCPU usage usd_per_ocpu_per_hour {"sku":"B88317"} 0.025',
      'Outbound Data Transfer usage usd_per_gigabyte_outbound_data_transfer_per_month {"volume":">=10240","sku":"B88327"} 0.0085',
      'Transactions usage usd_per_transaction {"volume":"0-2500","sku":"B90617"} 0.0002',
      'Transactions usage usd_per_transaction {"volume":">=2500","sku":"B90617"} 0.0001',
    ])
    expect(ignored(read)).toEqual({
      'a price of nothing: included, or free up to a volume': 1,
      'an unknown unit: 5K Messages Per Hour': 1,
      'an unknown kind of price: MONTHLY_COMMIT': 1,
      'a price of an unknown shape': 1,
      'a product without a name or a part number': 1,
    })
  })

  it.each([
    ['<html>'],
    [{ products: [] }],
    [{ items: [] }],
    [{ items: [7] }],
    [{ items: [product('B', 'N', 'GPU Per Hour', { value: '1e-400' })] }],
  ])('refuses %j', (data) => expect(() => parse(data)).toThrow(SnapshotError))
})
