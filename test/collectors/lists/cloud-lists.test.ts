import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide } from '../../../src/collectors/formats/skypilot.ts'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { quantityOf } from '../../../src/collectors/reading/quantities.ts'
import { type Decimal, parseDecimal } from '../../../src/lib/decimal.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

describe('Azure Retail Prices', () => {
  const parse = parseAs('azure')
  const item = (more: object) => ({
    currencyCode: 'USD', tierMinimumUnits: 0, retailPrice: 3.673, unitPrice: 3.673, armRegionName: 'westeurope',
    effectiveStartDate: '2026-03-01T00:00:00Z', meterId: 'm-1', meterName: 'NC24ads A100 v4', productId: 'p', skuId: 'p/1',
    productName: 'Virtual Machines NCads A100 v4 Series', skuName: 'Standard_NC24ads_A100_v4', serviceName: 'Virtual Machines',
    armSkuName: 'Standard_NC24ads_A100_v4', unitOfMeasure: '1 Hour', type: 'Consumption', isPrimaryMeterRegion: true, ...more,
  }) // biome-ignore format: one thing after another
  const answer = (...items: object[]) => ({
    BillingCurrency: 'USD',
    Items: items,
    NextPageLink: null,
    Count: items.length,
  })

  it('gives an hour of a machine by region, service and operating system, with the day it took effect', () => {
    const windows = { productName: 'Virtual Machines NCads A100 v4 Series Windows', retailPrice: 4.777 }
    const read = parse(
      answer(
        item({}),
        item(windows),
        item({ skuName: 'Standard_NC24ads_A100_v4 Spot', retailPrice: 0.81 }),
        item({ skuName: 'Standard_NC24ads_A100_v4 Low Priority', retailPrice: 0.9 }),
        item({ type: 'DevTestConsumption', armRegionName: 'Global' }),
      ),
    )
    expect(lines(read)).toEqual([
      'Standard_NC24ads_A100_v4 instance_hours usd_per_instance_hour {"region":"westeurope"} 3.673',
      'Standard_NC24ads_A100_v4 instance_hours usd_per_instance_hour {"region":"westeurope","operatingSystem":"windows"} 4.777',
      'Standard_NC24ads_A100_v4 instance_hours usd_per_instance_hour {"region":"westeurope","service":"spot"} 0.81',
      'Standard_NC24ads_A100_v4 instance_hours usd_per_instance_hour {"region":"westeurope","service":"low_priority"} 0.9',
      'Standard_NC24ads_A100_v4 instance_hours usd_per_instance_hour {"service":"devtest"} 3.673',
    ])
    expect(read.observations[0]?.effectiveFrom).toBe('2026-03-01')
  })

  it('gives tokens of models per one token, and any other meter per its own unit, by volume', () => {
    const model = { productName: 'Azure OpenAI', serviceName: 'Foundry Models', armSkuName: '', unitOfMeasure: '1K' }
    const read = parse(
      answer(
        item({ ...model, skuName: 'gpt-4o 0806 Inp glbl', meterName: 'gpt-4o 0806 Inp glbl Tokens', retailPrice: 0.0025 }),
        item({ ...model, skuName: 'gpt-4o 0806 cached Inp glbl', meterName: 'gpt-4o 0806 cached Inp glbl Tokens', retailPrice: 0.00125 }),
        item({ ...model, skuName: 'gpt-4o 0806 Outp glbl', meterName: 'gpt-4o 0806 Outp glbl Tokens', retailPrice: 0.01, unitOfMeasure: '1M' }),
        item({ productName: 'Blob Storage', meterName: 'Hot LRS Data Stored', armSkuName: '', unitOfMeasure: '1 GB/Month', retailPrice: 0.0184, tierMinimumUnits: 51200 }),
        // The first million executions are free: 100,000 times what the price is for.
        item({ productName: 'Functions', meterName: 'Standard Total Executions', armSkuName: '', unitOfMeasure: '10', retailPrice: 0.000002, tierMinimumUnits: 100000 }),
      ),
    ) // biome-ignore format: one thing after another
    expect(lines(read)).toEqual([
      'gpt-4o 0806 Inp glbl input_tokens usd_per_token {"region":"westeurope"} 0.0000025',
      'gpt-4o 0806 cached Inp glbl cache_read_tokens usd_per_token {"region":"westeurope"} 0.00000125',
      'gpt-4o 0806 Outp glbl output_tokens usd_per_token {"region":"westeurope"} 0.00000001',
      'Blob Storage / Hot LRS Data Stored usage usd_per_gb_month {"region":"westeurope","volume":">=51200","sku":"p/1 m-1"} 0.0184',
      'Functions / Standard Total Executions usage usd_per_count {"region":"westeurope","volume":">=1000000","sku":"p/1 m-1"} 0.0000002',
    ])
  })

  it('takes of one meter the price in force, whatever their order, and says when the next begins', () => {
    const prices = [
      item({ effectiveStartDate: '2025-01-01T00:00:00Z', retailPrice: 4 }),
      item({ effectiveStartDate: '2026-12-01T00:00:00Z', retailPrice: 2 }),
      item({ effectiveStartDate: '2026-06-01T00:00:00Z', retailPrice: 3 }),
      item({ effectiveStartDate: '2024-01-01T00:00:00Z', effectiveEndDate: '2024-12-31T00:00:00Z', retailPrice: 5 }),
    ]
    for (const order of [prices, prices.toReversed()]) {
      const read = parse(answer(...order))
      expect(read.observations.map((item) => item.price)).toEqual(['3'])
      expect(read.nextChangeAt).toBe('2026-12-01T00:00:00.000Z')
    }
  })

  it('leaves reservations, other currencies, zeros and unknown units out, and counts them', () => {
    const read = parse(
      answer(
        item({}),
        item({}),
        item({ type: 'Reservation', reservationTerm: '1 Year', retailPrice: 20000 }),
        item({ currencyCode: 'EUR' }),
        item({ retailPrice: 0 }),
        item({ unitOfMeasure: '744 Hours' }),
        item({ retailPrice: null, armRegionName: 'x' }),
      ),
    )
    expect(lines(read)).toHaveLength(1)
    expect(ignored(read)).toEqual({
      'the same price line again': 1,
      'a reservation: its price is for the whole term': 1,
      'not in US dollars: given for reference only': 1,
      'a meter for nothing: free, or its price is missing': 1,
      'an unknown unit: 744 Hours': 1,
      'a price that is not a number': 1,
    })
  })

  it('counts a meter with a zero, no price or an unknown unit as listed: its price is unreadable, never gone', () => {
    const storage = { productName: 'Files', meterName: 'LRS Data Stored', armSkuName: '', unitOfMeasure: '1 GB/Month' }
    const read = parse(
      answer(
        item({}),
        item({ retailPrice: 0, armRegionName: 'uksouth' }),
        item({ retailPrice: '', armRegionName: 'eastus' }),
        item({ ...storage, retailPrice: 0.0 }),
        item({ armSkuName: 'Standard_B1s', unitOfMeasure: '744 Hours' }),
        item({ ...storage, unitOfMeasure: '744 Hours' }),
      ),
    )
    expect(unreadable(read)).toEqual([
      'Standard_NC24ads_A100_v4 instance_hours {"region":"uksouth"} = 0',
      'Standard_NC24ads_A100_v4 instance_hours {"region":"eastus"} = ""',
      'Files / LRS Data Stored usage {"region":"westeurope","sku":"p/1 m-1"} = 0',
      'Standard_B1s = an unknown unit: 744 Hours',
      'Files / LRS Data Stored = an unknown unit: 744 Hours',
    ])
  })

  it.each([
    [{ Items: [] }],
    [{ error: 'x' }],
    [{ ...answer(item({})), NextPageLink: 'https://prices.azure.com/next' }],
  ])('refuses %j', (data) => expect(() => parse(data)).toThrow(SnapshotError))
})

describe('an AWS offer file', () => {
  const parse = parseAs('aws')
  const rate = (unit: string, USD: string, more: object = {}) => ({
    unit,
    beginRange: '0',
    endRange: 'Inf',
    pricePerUnit: { USD },
    ...more,
  })
  const term = (rates: object[], more: object = {}) => ({
    effectiveDate: '2026-11-01T00:00:00Z',
    priceDimensions: Object.fromEntries(rates.map((item, index) => [`R${index}`, item])),
    termAttributes: {},
    ...more,
  })
  const machine = {
    productFamily: 'Compute Instance',
    attributes: { servicecode: 'AmazonEC2', instanceType: 'p5.48xlarge', regionCode: 'us-east-1', operatingSystem: 'Linux', tenancy: 'Shared', capacitystatus: 'Used', preInstalledSw: 'NA' },
  } // biome-ignore format: one thing after another
  const offer = (products: object, OnDemand: object, Reserved: object = {}) => ({
    formatVersion: 'v1.0', offerCode: 'X', publicationDate: '2026-11-20T00:00:00Z', products, terms: { OnDemand, Reserved },
  }) // biome-ignore format: one thing after another

  it('gives machines by the hour, on demand and reserved without a fee ahead', () => {
    const reserved = (PurchaseOption: string) => ({
      termAttributes: { LeaseContractLength: '1yr', OfferingClass: 'standard', PurchaseOption },
    })
    const read = parse(
      offer(
        { S1: machine, S2: { ...machine, attributes: { ...machine.attributes, operatingSystem: 'Windows', tenancy: 'Dedicated' } } },
        { S1: { 'S1.A': term([rate('Hrs', '98.3200000000')]) }, S2: { 'S2.A': term([rate('Hrs', '101.5')]) } },
        { S1: { 'S1.B': term([rate('Hrs', '60')], reserved('No Upfront')), 'S1.C': term([rate('Quantity', '200000')], reserved('All Upfront')) } },
      ),
    ) // biome-ignore format: one thing after another
    expect(lines(read)).toEqual([
      'p5.48xlarge instance_hours usd_per_instance_hour {"region":"us-east-1"} 98.32',
      'p5.48xlarge instance_hours usd_per_instance_hour {"region":"us-east-1","operatingSystem":"windows","tenancy":"dedicated"} 101.5',
      'p5.48xlarge instance_hours usd_per_instance_hour {"region":"us-east-1","service":"reserved_1yr_standard"} 60',
    ])
    expect(ignored(read)).toEqual({ 'a term with a fee ahead: its price is not by the hour alone': 1 })
  })

  it('gives tokens of models per one token, and other usage per its own unit, by volume and currency', () => {
    const model = (inferenceType: string) => ({
      productFamily: 'Amazon Bedrock',
      attributes: { servicecode: 'AmazonBedrock', regionCode: 'us-east-1', model: 'Nova X', inferenceType, feature: 'On-demand Inference', usagetype: 'USE1-x' },
    }) // biome-ignore format: one thing after another
    const storage = {
      productFamily: 'Storage',
      attributes: { servicecode: 'AmazonS3', regionCode: 'cn-north-1', usagetype: 'TimedStorage' },
    }
    const read = parse(
      offer(
        { I: model('Input tokens'), O: model('Output tokens'), S: storage },
        {
          I: { 'I.A': term([rate('1K tokens', '0.0000600000')]) },
          O: { 'O.A': term([rate('1K tokens', '0.00024')]) },
          S: { 'S.A': term([
            { unit: 'GB-Mo', beginRange: '0', endRange: '51200', pricePerUnit: { CNY: '0.17' } },
            { unit: 'GB-Mo', beginRange: '51200', endRange: 'Inf', pricePerUnit: { CNY: '0.16' } },
          ]) },
        },
      ),
    ) // biome-ignore format: one thing after another
    expect(lines(read)).toEqual([
      'Nova X input_tokens usd_per_token {"region":"us-east-1"} 0.00000006',
      'Nova X output_tokens usd_per_token {"region":"us-east-1"} 0.00000024',
      'AmazonS3 / TimedStorage usage cny_per_gb_mo {"region":"cn-north-1","sku":"S","volume":"0-51200"} 0.17',
      'AmazonS3 / TimedStorage usage cny_per_gb_mo {"region":"cn-north-1","sku":"S","volume":">=51200"} 0.16',
    ])
  })

  it('counts what it leaves out', () => {
    const reserved = { ...machine, attributes: { ...machine.attributes, capacitystatus: 'UnusedCapacityReservation' } }
    const read = parse(
      offer(
        { S1: machine, S2: reserved },
        {
          S1: { A: term([rate('Hrs', '1'), rate('Hrs', '0'), rate('Hrs', 'NaN'), { unit: 'Hrs' }]) },
          S2: { A: term([rate('Hrs', '1')]) },
          S9: { A: term([rate('Hrs', '1')]) },
        },
      ),
    )
    expect(lines(read)).toHaveLength(1)
    expect(ignored(read)).toEqual({
      'a rate of nothing: included, or free up to a volume': 1,
      'a price that is not a number': 2,
      'capacity that is reserved, not used: UnusedCapacityReservation': 1,
      'a term of no product': 1,
    })
  })

  it('counts a rate of nothing, without a price or in an unknown unit as listed: it is unreadable, never gone', () => {
    const model = { ...machine, attributes: { servicecode: 'AmazonBedrock', model: 'Nova X', usagetype: 'x' } }
    const read = parse(
      offer(
        { S1: machine, S2: machine, S3: machine, S4: model },
        {
          S1: { A: term([rate('Hrs', '1')]) },
          S2: { A: term([rate('Hrs', '0.0000000000', { beginRange: '0', endRange: '750' })]) },
          S3: { A: term([{ unit: 'Hrs', beginRange: '750', endRange: 'Inf' }]) },
          S4: { A: term([rate('744 Hrs', '1')]) },
        },
      ),
    )
    expect(unreadable(read)).toEqual([
      'p5.48xlarge instance_hours {"region":"us-east-1","volume":"0-750"} = "0.0000000000"',
      'p5.48xlarge instance_hours {"region":"us-east-1","volume":">=750"} = nothing',
      'Nova X = an unknown unit: 744 Hrs',
    ])
  })

  it.each([[{ products: {} }], [offer({}, {})], ['{"products": {"A'], ['']])('refuses %j', (data) =>
    expect(() => parse(data)).toThrow(SnapshotError),
  )
})

describe('the SkyPilot catalogue', () => {
  const parse = parseAs('skypilot')
  const HEADER =
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,AvailabilityZone,GpuInfo,SpotPrice'
  const table = (...rows: string[]) => [HEADER, ...rows, ''].join('\n')
  const options = { options: { provider: 'lambda', name: 'Lambda' } }

  it('gives each machine once, by the hour, and says which GPUs it has', () => {
    const info = `"{'Gpus': [{'Name': 'V100', 'Count': 8.0}]}"`
    const read = parse(
      table(
        `gpu_8x,V100,8.0,92.0,448.0,4.4,us-east-1,,${info},`,
        `gpu_3x,T4,3,8,16,1.00,us-east-1,,,0.3`,
        'cpu,,,4,16,0.2,us-east-1,,,',
      ),
      options,
    )
    expect(read.providers).toEqual([{ provider: 'lambda', name: 'Lambda' }])
    expect(lines(read)).toEqual([
      'cpu instance_hours usd_per_instance_hour {"region":"us-east-1"} 0.2',
      'gpu_3x instance_hours usd_per_instance_hour {"region":"us-east-1"} 1',
      'gpu_3x instance_hours usd_per_instance_hour {"region":"us-east-1","service":"spot"} 0.3',
      'gpu_8x instance_hours usd_per_instance_hour {"region":"us-east-1"} 4.4',
    ])
    expect(read.observations.map(({ billingCondition }) => billingCondition)).toEqual([
      ...[undefined, '3 × T4', '3 × T4', '8 × V100'],
    ])
    expect(ignored(read)).toEqual({ 'no price for spot': 2 })
  })

  it('says the same whatever the order of rows and zones', () => {
    const rows = [
      'm,A100,1,8,64,3,us-east-1,us-east-1b,,1.2',
      'm,A100,1,8,64,2.5,us-east-1,us-east-1a,,1.1',
      'm,A100,1,8,64,2.5,us-west-2,us-west-2a,,0.9',
    ]
    const said = lines(parse(table(...rows), options))
    expect(lines(parse(table(...rows.toReversed()), options))).toEqual(said)
    expect(said).toContain('m instance_hours usd_per_instance_hour {"region":"us-east-1"} 2.5')
    expect(said).toContain('m instance_hours usd_per_instance_hour {"region":"us-east-1b","service":"spot"} 1.2')
  })

  it('takes no price for no price, never for zero', () => {
    const read = parse(table('a,,,1,1,,r,,,', 'b,,,1,1,0.0,r,,,', 'c,,,1,1,1.5,r,,,'), options)
    expect(lines(read)).toEqual(['c instance_hours usd_per_instance_hour {"region":"r"} 1.5'])
    expect(ignored(read)).toMatchObject({ 'no price': 1, 'a machine for nothing: its price is missing': 1 })
  })

  it.each([[HEADER], ['a,b\n1,2\n'], [`${HEADER}\n"gpu_8x,V100`], ['<html></html>'], ['']])('refuses %j', (text) =>
    expect(() => parse(text, options)).toThrow(SnapshotError),
  )

  it('belongs to the provider of the source’s name where no other is given', () => {
    expect(parse(table('a,,,1,1,1,r,,,')).providers).toEqual([{ provider: 'tested', name: 'tested' }])
  })

  it('divides exactly or not at all', () => {
    const amounts = fc.tuple(fc.nat(1e9), fc.nat(6), fc.integer({ min: 1, max: 64 }))
    fc.assert(
      fc.property(amounts, ([digits, decimalShift, by]) => {
        const price = parseDecimal(`${digits}e-${decimalShift}`) as Decimal
        const item = divide(price, by)
        const exact = (text: string) => {
          const [whole = '', fraction = ''] = text.split('.')
          return BigInt(whole + fraction.padEnd(30, '0'))
        }
        if (item !== undefined) expect(exact(item) * BigInt(by)).toBe(exact(price))
        else expect((exact(price) * 10n ** 10n) % BigInt(by)).not.toBe(0n)
      }),
    )
  })
})

describe('a unit of measure', () => {
  it.each([
    ['1 Hour', { decimalShift: 0, unit: 'hour' }],
    ['10K', { decimalShift: 4, unit: 'count' }],
    ['1M', { decimalShift: 6, unit: 'count' }],
    ['1K tokens', { decimalShift: 3, unit: 'token' }],
    ['1 GB/Month', { decimalShift: 0, unit: 'gb_month' }],
    ['1/Month', { decimalShift: 0, unit: 'month' }],
    ['100 GiB Hours', { decimalShift: 2, unit: 'gib_hour' }],
    ['Hrs', { decimalShift: 0, unit: 'hour' }],
    ['GB-Mo', { decimalShift: 0, unit: 'gb_mo' }],
    ['744 Hours', undefined],
    ['', undefined],
  ])('%j is %j', (text, quantity) => expect(quantityOf(text)).toEqual(quantity))
})
