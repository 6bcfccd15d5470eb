import { describe, expect, it } from 'vitest'
import { ignored, lines, parseAs, unreadable } from '../support.ts'

/**
 * Parts of answers that others recorded and published, with every field the parsers read. AWS: the offer file of EC2 of
 * 2023-03-22, from the tests of OpenCost (Apache-2.0). Azure: rows of the Retail Prices API of 2017, 2020 and 2025 as
 * public documentation and tests quote them. Fields that no parser reads are left out.
 */
const awsTerm = (sku: string, code: string, rate: object, attributes: object = {}, effectiveDate = '2023-03-01') => ({
  [`${sku}.${code}`]: {
    offerTermCode: code, sku, effectiveDate: `${effectiveDate}T00:00:00Z`, termAttributes: attributes,
    priceDimensions: { [`${sku}.${code}.6YS6EN2CT7`]: { rateCode: `${sku}.${code}.6YS6EN2CT7`, appliesTo: [], ...rate } },
  },
}) // biome-ignore format: as recorded
const ec2 = {
  formatVersion: 'v1.0',
  offerCode: 'AmazonEC2',
  version: '20230322145651',
  publicationDate: '2023-03-22T14:56:51Z',
  products: {
    '8D49XP354UEYTHGM': {
      sku: '8D49XP354UEYTHGM', productFamily: 'Compute Instance',
      attributes: {
        servicecode: 'AmazonEC2', location: 'US East (Ohio)', instanceType: 'm5.large', tenancy: 'Shared',
        operatingSystem: 'Linux', licenseModel: 'No License required', usagetype: 'USE2-BoxUsage:m5.large',
        capacitystatus: 'Used', marketoption: 'OnDemand', preInstalledSw: 'NA', regionCode: 'us-east-2',
      },
    },
    '9ZEEN7WWWQKAG292': {
      sku: '9ZEEN7WWWQKAG292', productFamily: 'Compute Instance',
      attributes: {
        servicecode: 'AmazonEC2', location: 'US East (Ohio)', instanceType: 'p3.8xlarge', tenancy: 'Shared',
        operatingSystem: 'Windows', licenseModel: 'Bring your own license', usagetype: 'USE2-BoxUsage:p3.8xlarge',
        capacitystatus: 'Used', gpu: '4', marketoption: 'OnDemand', preInstalledSw: 'NA', regionCode: 'us-east-2',
      },
    },
    M6UGCCQ3CDJQAA37: {
      sku: 'M6UGCCQ3CDJQAA37', productFamily: 'Storage',
      attributes: {
        servicecode: 'AmazonEC2', location: 'US East (Ohio)', volumeType: 'General Purpose',
        usagetype: 'USE2-EBS:VolumeUsage.gp3', regionCode: 'us-east-2', volumeApiName: 'gp3',
      },
    },
  },
  terms: {
    OnDemand: {
      M6UGCCQ3CDJQAA37: awsTerm('M6UGCCQ3CDJQAA37', 'JRTCKXETXF', {
        description: '$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East (Ohio)',
        beginRange: '0', endRange: 'Inf', unit: 'GB-Mo', pricePerUnit: { USD: '0.0800000000' },
      }),
      '9ZEEN7WWWQKAG292': awsTerm('9ZEEN7WWWQKAG292', 'JRTCKXETXF', {
        description: '$12.24 per On Demand Windows BYOL p3.8xlarge Instance Hour',
        beginRange: '0', endRange: 'Inf', unit: 'Hrs', pricePerUnit: { USD: '12.2400000000' },
      }),
      '8D49XP354UEYTHGM': awsTerm(
        '8D49XP354UEYTHGM', 'MZU6U2429S',
        { description: 'Upfront Fee', unit: 'Quantity', pricePerUnit: { USD: '1161' } },
        { LeaseContractLength: '3yr', OfferingClass: 'convertible', PurchaseOption: 'All Upfront' }, '2019-01-01',
      ),
    },
  },
  attributesList: {},
} // biome-ignore format: as recorded

describe('a recorded offer file of EC2', () => {
  it('gives machines and storage; a fee ahead is not a price of anything', () => {
    const asReserved = { ...ec2, terms: { OnDemand: ec2.terms.OnDemand, Reserved: {} as object } }
    const { '8D49XP354UEYTHGM': upfront, ...onDemand } = ec2.terms.OnDemand
    asReserved.terms = { OnDemand: onDemand as typeof ec2.terms.OnDemand, Reserved: { '8D49XP354UEYTHGM': upfront } }
    const read = parseAs('aws')(asReserved)
    expect(lines(read)).toEqual([
      'AmazonEC2 / USE2-EBS:VolumeUsage.gp3 usage usd_per_gb_mo {"region":"us-east-2","sku":"M6UGCCQ3CDJQAA37"} 0.08',
      'p3.8xlarge instance_hours usd_per_instance_hour {"region":"us-east-2","operatingSystem":"windows","offer":"bring_your_own_license"} 12.24',
    ])
    expect(read.observations[1]?.effectiveFrom).toBe('2023-03-01')
    expect(ignored(read)).toEqual({ 'a term with a fee ahead: its price is not by the hour alone': 1 })
  })
})

/** The machine of the AWS offer file of 2016-12-13 that the tests of a public tool hold, with all its terms. */
const c4 = {
  offerCode: 'AmazonEC2',
  version: '20161213014831',
  products: {
    '4C7N4APU9GEUZ6H6': {
      sku: '4C7N4APU9GEUZ6H6', productFamily: 'Compute Instance',
      attributes: {
        servicecode: 'AmazonEC2', location: 'US East (N. Virginia)', instanceType: 'c4.large', tenancy: 'Shared',
        operatingSystem: 'Linux', licenseModel: 'No License required', usagetype: 'BoxUsage:c4.large',
        operation: 'RunInstances', preInstalledSw: 'NA', capacitystatus: 'Used',
      },
    },
  },
  terms: {
    OnDemand: {
      '4C7N4APU9GEUZ6H6': awsTerm('4C7N4APU9GEUZ6H6', 'JRTCKXETXF', {
        description: '$0.1 per On Demand Linux c4.large Instance Hour',
        beginRange: '0', endRange: 'Inf', unit: 'Hrs', pricePerUnit: { USD: '0.1000000000' },
      }, {}, '2016-12-01'),
    },
    Reserved: {
      '4C7N4APU9GEUZ6H6': {
        ...awsTerm('4C7N4APU9GEUZ6H6', 'HU7G6KETJZ', {
          description: 'Linux/UNIX (Amazon VPC), c4.large instance-hours used this month',
          beginRange: '0', endRange: 'Inf', unit: 'Hrs', pricePerUnit: { USD: '0.0300000000' },
        }, { LeaseContractLength: '1yr', OfferingClass: 'standard', PurchaseOption: 'Partial Upfront' }, '2016-11-30'),
        ...awsTerm('4C7N4APU9GEUZ6H6', '4NA7Y494T4', {
          description: 'Linux/UNIX (Amazon VPC), c4.large reserved instance applied',
          beginRange: '0', endRange: 'Inf', unit: 'Hrs', pricePerUnit: { USD: '0.0630000000' },
        }, { LeaseContractLength: '1yr', OfferingClass: 'standard', PurchaseOption: 'No Upfront' }, '2017-04-30'),
      },
    },
  },
} // biome-ignore format: as recorded

describe('recorded reserved terms of EC2', () => {
  it('give the hour of those without a fee ahead', () => {
    const read = parseAs('aws')(c4)
    expect(lines(read)).toEqual([
      'c4.large instance_hours usd_per_instance_hour {} 0.1',
      'c4.large instance_hours usd_per_instance_hour {"service":"reserved_1yr_standard"} 0.063',
    ])
    expect(ignored(read)).toEqual({ 'a term with a fee ahead: its price is not by the hour alone': 1 })
  })
})

/**
 * The ways in which the offer files of Bedrock named tokens in July and August 2026, as AWS's own sample gateway (MIT-0)
 * and public catalogues of their prices quote them. Prices are made up: each is another one.
 */
describe('recorded names of Bedrock’s tokens', () => {
  const named = (attributes: object) => ({ attributes: { regionCode: 'us-east-1', ...attributes } })
  const claude = (inferenceType: string, feature = 'On-demand Inference') =>
    named({ model: 'Claude Sonnet 4.6', inferenceType, feature, usagetype: 'USE1-x' })
  const read = (products: object[], unit = '1K tokens') =>
    parseAs('aws')({
      products: Object.fromEntries(products.map((product, i) => [`S${i}`, product])),
      terms: {
        OnDemand: Object.fromEntries(
          products.map((_, i) => [
            `S${i}`,
            { T: { priceDimensions: { R: { unit, pricePerUnit: { USD: `0.00${i + 1}` } } } } },
          ]),
        ),
      },
    })
  const tokens = (answer: ReturnType<typeof read>) =>
    answer.observations.map(({ resource, dimension, pricingTier: { region: _, sku, ...tier } }) =>
      [resource, dimension, JSON.stringify(sku ? 'by its sku' : tier)].join(' '),
    )

  it('are lines of their own: no two products of a model are one price', () => {
    const answer = read([
      claude('Input tokens'),
      claude('Output tokens'),
      claude('Cross-region global input tokens'),
      claude('Batch input tokens'),
      claude('Prompt cache read input tokens'),
      claude('Input tokens flex'),
      claude('Input tokens priority'),
      claude('Input tokens', 'Batch Inference'),
      claude('Input tokens', 'Model Customization'),
      claude('Speech input tokens'),
      claude('Input tokens of another kind'),
    ])
    expect(tokens(answer)).toEqual([
      'Claude Sonnet 4.6 input_tokens {}',
      'Claude Sonnet 4.6 output_tokens {}',
      'Claude Sonnet 4.6 input_tokens {"offer":"cross_region_global"}',
      'Claude Sonnet 4.6 input_tokens {"service":"batch"}',
      'Claude Sonnet 4.6 cache_read_tokens {}',
      'Claude Sonnet 4.6 input_tokens {"service":"flex"}',
      'Claude Sonnet 4.6 input_tokens {"service":"priority"}',
      'USE1-x usage "by its sku"',
      'Claude Sonnet 4.6 input_tokens {"modality":"speech"}',
      'USE1-x usage "by its sku"',
    ])
    expect(ignored(answer)).toEqual({ 'the same price line again with another price: the first was taken': 1 })
  })

  it('are read from the usage type where nothing else says it', () => {
    const usage = (usagetype: string, more: object = {}) => named({ usagetype, ...more })
    const market = { servicename: 'Claude Opus 4.5 (Amazon Bedrock Edition)' }
    expect(
      tokens(
        read([
          usage('USE1-openai.gpt-oss-120b-mantle-input-tokens-standard'),
          usage('USE1-openai.gpt-5.6-luna-mantle-cache-write-tokens-5m-long-ctx-flex'),
          usage('USE1-NovaPro-input-tokens-latency-optimized', { model: 'Nova Pro' }),
          usage('USE1-NovaMicro-input-tokens-custom-model', { model: 'Nova Micro' }),
          usage('USE1-MP:USE1_input_tokens_global_standard-Units', market),
          usage('USE1-MP:USE1_CacheWrite1hInputTokenCount_Global-Units', market),
          usage('USE1-Claude4Sonnet-output-tokens-long-context-cross-region-global', { model: 'Claude 4 Sonnet' }),
          usage('USE1-TitanEmbeddingV2-Text-input-tokens', { titanModel: 'Titan Embedding V2' }),
        ]),
      ),
    ).toEqual([
      'openai.gpt-oss-120b input_tokens {}',
      'openai.gpt-5.6-luna cache_write_tokens {"service":"flex","offer":"long_context","ttl":"5m"}',
      'Nova Pro input_tokens {"service":"latency_optimized"}',
      'USE1-NovaMicro-input-tokens-custom-model usage "by its sku"',
      'Claude Opus 4.5 input_tokens {"offer":"cross_region_global"}',
      'Claude Opus 4.5 cache_write_tokens {"offer":"cross_region_global","ttl":"1h"}',
      'Claude 4 Sonnet output_tokens {"offer":"cross_region_global_long_context"}',
      'Titan Embedding V2 input_tokens {}',
    ])
  })

  it('are priced per thousand or per million', () => {
    const perMillion = read([claude('Input tokens')], '1M tokens').observations[0]
    expect([perMillion?.price, perMillion?.unit]).toEqual(['0.000000001', 'usd_per_token'])
  })
})

const azureItem = (more: object) => ({
  currencyCode: 'USD',
  tierMinimumUnits: 0.0,
  isPrimaryMeterRegion: true,
  ...more,
})
const files = azureItem({
  retailPrice: 0.06, unitPrice: 0.06, armRegionName: 'Global', location: 'Global',
  effectiveStartDate: '2017-09-19T00:00:00Z', meterId: 'ed8a651a-e0a3-4de6-a8ae-3b4ce8cb72cf',
  meterName: 'LRS Data Stored', productId: 'DZH318Z0BP0B', skuId: 'DZH318Z0BP0B/004M', productName: 'Files',
  skuName: 'Standard LRS', serviceName: 'Storage', serviceFamily: 'Storage', unitOfMeasure: '1 GB/Month',
  type: 'Consumption', armSkuName: '',
}) // biome-ignore format: as recorded
const d8 = azureItem({
  armRegionName: 'westeurope', location: 'EU West', effectiveStartDate: '2020-08-01T00:00:00Z',
  meterId: '4e763e64-5ae4-5ed3-8892-902bb82ca7d3', meterName: 'D8 v4', productId: 'DZH318Z0D1L4',
  skuId: 'DZH318Z0D1L4/01DC', productName: 'Virtual Machines Dv4 Series', skuName: 'D8 v4',
  serviceName: 'Virtual Machines', unitOfMeasure: '1 Hour', armSkuName: 'Standard_D8_v4',
}) // biome-ignore format: as recorded
const b1s = azureItem({
  retailPrice: 0.0104, unitPrice: 0.0104, armRegionName: 'eastus', location: 'US East',
  effectiveStartDate: '2025-10-01T00:00:00Z', meterId: 'f4d7a5a5-1b67-45ea-b1a0-282fbdd34b05', meterName: 'B1s',
  productId: 'DZH318Z0BQ35', skuId: 'DZH318Z0BQ35/00SV', productName: 'Virtual Machines BS Series', skuName: 'B1s',
  serviceName: 'Virtual Machines', unitOfMeasure: '1 Hour', type: 'Consumption', armSkuName: 'Standard_B1s',
}) // biome-ignore format: as recorded
const page = (Items: object[], NextPageLink: string | null = null) => ({
  BillingCurrency: 'USD', CustomerEntityId: 'Default', CustomerEntityType: 'Retail', Items, NextPageLink, Count: Items.length,
}) // biome-ignore format: as recorded

describe('recorded rows of the Azure Retail Prices API', () => {
  it('give machines by region and other meters by their names; a reservation is left out though it says hours', () => {
    const reserved = { ...d8, reservationTerm: '1 Year', retailPrice: 2377.0, unitPrice: 2377.0, type: 'Reservation' }
    const hourly = { ...d8, retailPrice: 0.46, unitPrice: 0.46, type: 'Consumption' }
    const read = parseAs('azure')(page([files, reserved, hourly, b1s], ''))
    expect(lines(read)).toEqual([
      'Standard_B1s instance_hours usd_per_instance_hour {"region":"eastus"} 0.0104',
      'Standard_D8_v4 instance_hours usd_per_instance_hour {"region":"westeurope"} 0.46',
      'Files / LRS Data Stored usage usd_per_gb_month {"sku":"DZH318Z0BP0B/004M ed8a651a-e0a3-4de6-a8ae-3b4ce8cb72cf"} 0.06',
    ])
    expect(ignored(read)).toEqual({ 'a reservation: its price is for the whole term': 1 })
  })

  it.each([
    ['gpt 4.1 Inp glbl Tokens', 'input_tokens'],
    ['gpt 4.1 cached Inp glbl Tokens', 'cache_read_tokens'],
    ['5.4 pp opt Gl 1M Tokens', 'output_tokens'],
    ['5.1 pp cd inp Dz 1M Tokens', 'cache_read_tokens'],
    ['gpt 5 pro out glbl Tokens', 'output_tokens'],
    ['gpt-5-codex-inp-glbl Tokens', 'input_tokens'],
    ['gpt-5-codex-ccchd-inp-glbl Tokens', 'cache_read_tokens'],
    ['4o cchd Inp regnl 1M Tokens', 'cache_read_tokens'],
    ['K2.5 Thinking Outp DZ Tokens', 'output_tokens'],
    ['Phi-3.5-Mini-128K-Instruct-Output Tokens', 'output_tokens'],
    ['Provisioned Managed Global Unit', 'usage'],
    ['Sora 2 pro glbl Second', 'usage'],
  ])('name the meter of a model %s, which is %s', (meterName, dimension) => {
    const meter = azureItem({
      meterName, skuName: meterName.replace(/( 1M)? Tokens$/, ''), productName: 'Azure OpenAI', serviceName: 'Foundry Models',
      armSkuName: '', armRegionName: 'eastus', unitOfMeasure: '1K', type: 'Consumption', retailPrice: 0.002,
    }) // biome-ignore format: one thing after another
    expect(parseAs('azure')(page([meter])).observations[0]?.dimension).toBe(dimension)
  })

  it('are refused as an empty page, which the API answers to a filter that nothing meets', () => {
    expect(() => parseAs('azure')(page([]))).toThrow('The list of prices is an empty list.')
  })
})

/** Rows of `catalogs/v8` of 2026-09-25 (Apache-2.0), one for each peculiarity, as a public tool's tests quote them. */
describe('recorded rows of the SkyPilot catalogue', () => {
  const HEADER =
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo'
  const read = (provider: string, ...rows: string[]) =>
    parseAs('skypilot')([HEADER, ...rows, ''].join('\n'), { options: { provider } })

  it('give a GPU that is rented without a machine, and a part of a pod', () => {
    const gcp = read(
      'gcp',
      ',A100,1,,,us-central1,1.8563,3.10156,us-central1-a,',
      ',tpu-v5litepod-1,1,,,us-west4,,1.20,us-west4-a,',
    )
    expect(lines(gcp)).toEqual([
      'A100 gpu_hours usd_per_gpu_hour {"region":"us-central1"} 3.10156',
      'A100 gpu_hours usd_per_gpu_hour {"region":"us-central1-a","service":"spot"} 1.8563',
      'tpu-v5litepod-1 gpu_hours usd_per_gpu_hour {"region":"us-west4"} 1.2',
    ])
  })

  it('give machines of 8 GPUs, and regions with commas in their names; a zero is not a price of spot', () => {
    const lambda = read(
      'lambda',
      `gpu_8x_a100,A100,8.0,124.0,1800.0,us-east-1,,15.92,,"{'TotalGpuMemoryInMiB': 40960}"`,
    )
    expect(lines(lambda)).toEqual(['gpu_8x_a100 instance_hours usd_per_instance_hour {"region":"us-east-1"} 15.92'])
    const vast = read(
      'vast',
      `1x-L40S-32-65536,L40S,1,32,64,"Bulgaria, BG, EU",0.00,0.60,,"{'TotalGpuMemoryInMiB': 46068}"`,
    )
    expect(lines(vast)).toEqual([
      '1x-L40S-32-65536 instance_hours usd_per_instance_hour {"region":"Bulgaria, BG, EU"} 0.6',
    ])
    expect(unreadable(vast)).toEqual([
      '1x-L40S-32-65536 instance_hours {"region":"Bulgaria, BG, EU","service":"spot"} = "0.00"',
    ])
  })

  it('give the same price for spot and on demand where the seller has one price', () => {
    const runpod = read('runpod', '1x_L40S_SECURE,L40S,1.0,16.0,62.0,CA,1.09,1.09,CA-MTL-1,')
    expect(lines(runpod)).toEqual([
      '1x_L40S_SECURE instance_hours usd_per_instance_hour {"region":"CA"} 1.09',
      '1x_L40S_SECURE instance_hours usd_per_instance_hour {"region":"CA-MTL-1","service":"spot"} 1.09',
    ])
  })
})
