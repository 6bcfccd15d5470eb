import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

const parse = parseAs('google-cloud-skus')
type Price = { units?: unknown; nanos?: unknown; currencyCode?: string }
const sku = (description: string, usageType: string, unitPrice: Price, more: object = {}) => ({
  name: 'services/6F81-5844-456A/skus/039F-D0DA-4055', skuId: '039F-D0DA-4055', description,
  category: { serviceDisplayName: 'Compute Engine', resourceFamily: 'Compute', resourceGroup: 'GPU', usageType },
  serviceRegions: ['us-central1'],
  pricingInfo: [{
    summary: '', currencyConversionRate: 1, effectiveTime: '2023-03-24T10:52:50.681Z',
    pricingExpression: {
      usageUnit: 'h', displayQuantity: 1, baseUnit: 's', baseUnitConversionFactor: 3600,
      tieredRates: [{ startUsageAmount: 0, unitPrice: { currencyCode: 'USD', ...unitPrice } }],
    },
  }],
  serviceProviderName: 'Google', ...more,
}) // biome-ignore format: as recorded
const TPU = { category: { resourceFamily: 'Compute', resourceGroup: 'TPU', usageType: 'OnDemand' } }

/**
 * SKUs of 2023-03-24 (tests of OpenCost), of 2025-06-16 (a whole answer's 1,477 SKUs of GPUs, kept by a public
 * repository), and of 2026-08-07 and 2026-10 as tests of programs quote them.
 */
describe('recorded SKUs of Google Cloud', () => {
  it('are one line for each region, with units and billionths as one decimal', () => {
    const regions = ['us-central1', 'us-east1', 'us-west1']
    const a100 = sku('Nvidia Tesla A100 GPU running in Americas', 'OnDemand', { units: '2', nanos: 933908000 }, { serviceRegions: regions })
    const read = parse({ skus: [a100] })
    expect(lines(read)).toEqual(
      regions.map((region) => `Nvidia Tesla A100 GPU gpu_hours usd_per_gpu_hour {"region":"${region}"} 2.933908`),
    )
    expect(read.observations[0]).toMatchObject({
      provider: 'google-cloud', effectiveFrom: '2023-03-24', locator: '/skus/0/pricingInfo/0/pricingExpression',
    })
  }) // biome-ignore format: one thing after another

  it.each<[string, string, string, object, object?]>([
    ['Nvidia L4 GPU running in Singapore', 'OnDemand', 'Nvidia L4 GPU', {}],
    ['Nvidia L4 GPU attached to Spot Preemptible VMs running in Hong Kong', 'Preemptible', 'Nvidia L4 GPU', { service: 'spot' }],
    ['Commitment v1: H200 141GB GPU running in Netherlands for 1 Year', 'Commit1Yr', 'H200 141GB GPU', { service: 'commit_1yr' }],
    ['Commitment v1: Nvidia Tesla A100 GPU running in APAC for 3 Year', 'Commit3Yr', 'Nvidia Tesla A100 GPU', { service: 'commit_3yr' }],
    ['Commitment v1: Nvidia L4 GPU running in Berlin for 3 Years', 'Commit3Yr', 'Nvidia L4 GPU', { service: 'commit_3yr' }],
    ['Reserved Nvidia H100 80GB Mega GPU in Los Angeles in Calendar Mode', 'OnDemand', 'Nvidia H100 80GB Mega GPU', { offer: 'calendar_mode' }],
    ['Reserved Nvidia Tesla A100 GPU in Milan', 'OnDemand', 'Nvidia Tesla A100 GPU', { offer: 'reserved' }],
    ['Nvidia Tesla P4 GPU attached to DWS Defined Duration VMs running in Americas', 'OnDemand', 'Nvidia Tesla P4 GPU', { offer: 'dws_defined_duration' }],
    ['Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Americas', 'OnDemand', 'A4 Nvidia B200 (1 gpu slice)', { service: 'spot' }],
    ['TpuV6e running in Columbus', 'OnDemand', 'TpuV6e', {}, TPU],
    ['DWS Defined Duration V6e running in Columbus', 'OnDemand', 'V6e', { offer: 'dws_defined_duration' }, TPU],
    ['Capacity Optimized TpuV6e running in Columbus', 'OnDemand', 'TpuV6e', { offer: 'capacity_optimized' }, TPU],
  ])('say what is sold and how: %s', (description, usageType, resource, tier, more) => {
    const read = parse({ skus: [sku(description, usageType, { units: '0', nanos: 235032100 }, more)] })
    expect(read.observations).toMatchObject([{ resource, pricingTier: { region: 'us-central1', ...tier }, price: '0.2350321' }])
  }) // biome-ignore format: one thing after another

  it('are left out, and counted with the reason, where they are something else or say it in unknown words', () => {
    const core = { category: { resourceFamily: 'Compute', resourceGroup: 'CPU', usageType: 'OnDemand' } }
    const licence = { category: { resourceFamily: 'License', resourceGroup: 'GPU', usageType: 'OnDemand' } }
    const one = { units: '1', nanos: 0 }
    const read = parse({
      skus: [
        sku('Nvidia L4 GPU running in Iowa', 'OnDemand', one),
        sku('A2 Instance Core running in Americas', 'OnDemand', one, core),
        sku('Licensing Fee for Windows Server Core (GPU cost)', 'OnDemand', one, licence),
        sku('Nvidia L4 GPU rented in Iowa', 'OnDemand', one),
        sku('Nvidia L4 GPU attached to Other VMs running in Iowa', 'OnDemand', one),
        sku('Nvidia L4 GPU running in Iowa', 'Commit5Yr', one),
        sku('Nvidia L4 GPU running in Iowa', 'Preemptible', one),
        sku(`${'x '.repeat(200)} running in Iowa`, 'OnDemand', one),
      ],
    })
    expect(lines(read)).toEqual(['Nvidia L4 GPU gpu_hours usd_per_gpu_hour {"region":"us-central1"} 1'])
    expect(ignored(read)).toEqual({
      'a SKU that is not an accelerator': 2, 'an accelerator that is described in unknown words': 5,
    })
  }) // biome-ignore format: samples

  it('are listed without a price where that is in steps, of another unit, not a number or zero', () => {
    const priced = (pricingExpression: object) => ({ pricingInfo: [{ pricingExpression }] })
    const rate = (unitPrice: object) => ({ unitPrice: { currencyCode: 'USD', ...unitPrice } })
    const [one, two] = [rate({ units: '1', nanos: 0 }), rate({ units: '2', nanos: 0 })]
    const named = (letter: string, more: object) => sku(`GPU ${letter} running in Iowa`, 'OnDemand', { units: '1' }, more)
    const read = parse({
      skus: [
        named('0', {}),
        named('A', priced({ usageUnit: 'h', tieredRates: [one, two] })),
        named('B', priced({ usageUnit: 'GiBy.h', tieredRates: [one] })),
        named('C', priced({ usageUnit: 'h', tieredRates: [rate({ units: '1e3', nanos: 0 })] })),
        named('D', priced({ usageUnit: 'h', tieredRates: [rate({ units: '0', nanos: 1_000_000_000 })] })),
        named('E', priced({ usageUnit: 'h', tieredRates: [rate({ units: '0', nanos: 0 })] })),
        named('F', { serviceRegions: [] }),
        named('G', { pricingInfo: [] }),
      ],
    })
    expect(read.observations.map(({ resource }) => resource)).toEqual(['GPU 0'])
    expect(unreadable(read).map((line) => line.replace(/ gpu_hours .*/, ''))).toEqual([
      'GPU A = a price in steps, or without a region', 'GPU B = a unit that is not an hour: GiBy.h', 'GPU C', 'GPU D', 'GPU E',
      'GPU F = a price in steps, or without a region', 'GPU G = a unit that is not an hour: none',
    ])
  }) // biome-ignore format: samples

  it('take effect when they say', () => {
    const now = sku('GPU A running in Iowa', 'OnDemand', { units: '1' })
    const later = sku('GPU B running in Iowa', 'OnDemand', { units: '1' })
    later.pricingInfo[0]!.effectiveTime = '2027-01-01T00:00:00Z'
    const read = parse({ skus: [now, later] })
    expect([read.observations.length, read.nextChangeAt]).toEqual([1, '2027-01-01T00:00:00.000Z'])
  })

  it.each<[string, unknown, RegExp]>([
    ['a refusal', { error: { code: 403, status: 'PERMISSION_DENIED' } }, /has no `skus`/],
    ['an empty list', { skus: [] }, /no prices at all/],
    ['one page of several', { skus: [sku('GPU A running in Iowa', 'OnDemand', { units: '1' })], nextPageToken: 'x' }, /one page of several/],
    ['a list of something else', { skus: [7] }, /not an object at 0/],
    ['a web page', '<html>', /is a web page|not JSON/],
  ])('are quarantined as %s', (_what, data, reason) => {
    expect(() => parse(data)).toThrow(SnapshotError)
    expect(() => parse(data)).toThrow(reason)
  }) // biome-ignore format: one thing after another
})
