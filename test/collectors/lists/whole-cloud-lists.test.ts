import { describe, expect, it } from 'vitest'
import { allLines, parseAs } from '../support.ts'

const meter = (more: object) => ({
  currencyCode: 'USD', retailPrice: 2, armRegionName: 'uksouth', effectiveStartDate: '2026-03-01T00:00:00Z', meterId: 'm',
  meterName: 'D2', skuId: 's', productName: 'Virtual Machines D', skuName: 'D2', serviceName: 'Virtual Machines',
  armSkuName: 'Standard_D2', unitOfMeasure: '1 Hour', type: 'Consumption', ...more,
}) // biome-ignore format: one thing after another
const tokens = (meterName: string) =>
  meter({
    productName: 'Azure OpenAI',
    serviceName: 'Foundry Models',
    armSkuName: '',
    unitOfMeasure: '1M',
    meterName,
    skuName: 'gpt-5',
    tierMinimumUnits: undefined,
  })
const rate = (unit: string, usd: unknown, more: object = {}) => ({ unit, pricePerUnit: { USD: usd }, ...more })
const term = (rates: unknown, more: object = {}) => ({
  effectiveDate: '2026-01-05T00:00:00Z',
  priceDimensions: Array.isArray(rates) ? Object.fromEntries(rates.map((one, n) => [`R${n}`, one])) : rates,
  ...more,
})
const machine = (more: object = {}) => ({
  productFamily: 'Compute Instance',
  attributes: {
    servicecode: 'AmazonEC2', regionCode: 'eu-1', instanceType: 'm5', operatingSystem: 'Linux', tenancy: 'Shared',
    preInstalledSw: 'NA', capacitystatus: 'Used', usagetype: 'Box', ...more,
  },
}) // biome-ignore format: one thing after another

describe('the Azure Retail Prices', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      Items: [
        meter({}), meter({ effectiveStartDate: '2027-01-01T00:00:00Z' }), meter({ effectiveEndDate: '2026-11-21T00:00:00Z' }),
        meter({ type: 'Gift' }), meter({ type: undefined, armRegionName: '' }),
        meter({ productName: 'Managed Disks', meterName: 'P10', armRegionName: 'Global', skuId: '', meterId: '', skuName: 'P10 LRS', tierMinimumUnits: 5 }),
        meter({ productName: 'Disks', armSkuName: '', unitOfMeasure: '1 Year', skuName: '' }), meter({ unitOfMeasure: '10 Days' }),
        tokens('gpt-5-codex-ccchd-inp-glbl Tokens'), tokens('gpt-5 Inp Tokens'), tokens('gpt-5 opt Tokens'),
        tokens('gpt-5 fine Tokens'), tokens('gpt-5 inp'), meter({ currencyCode: 'EUR' }),
        meter({ type: 'Reservation', meterName: undefined }),
        meter({ retailPrice: 0, skuName: 'D2 Spot', effectiveStartDate: undefined }), meter({ unitOfMeasure: '744 Hours' }),
        meter({ unitOfMeasure: '744 Hours', productName: 'Files', armSkuName: 'x' }),
      ],
      NextPageLink: '',
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('azure')(list))).toEqual([
      'provider azure Microsoft Azure',
      'azure Standard_D2 instance_hours usd_per_instance_hour USD {"region":"uksouth"} 2 effectiveFrom=2026-03-01 category=Virtual Machines @ /Items/0',
      'azure Managed Disks / P10 usage usd_per_hour USD {"volume":">=5","sku":"P10 LRS"} 2 effectiveFrom=2026-03-01 category=Virtual Machines @ /Items/5',
      'azure Disks / D2 usage usd_per_year USD {"region":"uksouth","sku":"s m"} 2 effectiveFrom=2026-03-01 category=Virtual Machines @ /Items/6',
      'azure Virtual Machines D / D2 usage usd_per_day USD {"region":"uksouth","sku":"s m"} 0.2 effectiveFrom=2026-03-01 category=Virtual Machines @ /Items/7',
      'azure gpt-5 cache_read_tokens usd_per_token USD {"region":"uksouth"} 0.000002 canonicalResource=openai/gpt-5 effectiveFrom=2026-03-01 category=Foundry Models @ /Items/8',
      'azure gpt-5 input_tokens usd_per_token USD {"region":"uksouth"} 0.000002 canonicalResource=openai/gpt-5 effectiveFrom=2026-03-01 category=Foundry Models @ /Items/9',
      'azure gpt-5 output_tokens usd_per_token USD {"region":"uksouth"} 0.000002 canonicalResource=openai/gpt-5 effectiveFrom=2026-03-01 category=Foundry Models @ /Items/10',
      'azure Azure OpenAI / gpt-5 fine Tokens usage usd_per_count USD {"region":"uksouth","sku":"s m"} 0.000002 effectiveFrom=2026-03-01 category=Foundry Models @ /Items/11',
      'azure Azure OpenAI / gpt-5 inp usage usd_per_count USD {"region":"uksouth","sku":"s m"} 0.000002 effectiveFrom=2026-03-01 category=Foundry Models @ /Items/12',
      'unreadable azure Standard_D2 dimension=instance_hours unit=usd_per_instance_hour currency=USD pricingTier={"region":"uksouth","service":"spot"} = 0 @ /Items/15',
      'unreadable azure Standard_D2 = an unknown unit: 744 Hours @ /Items/16',
      'unreadable azure Files / D2 = an unknown unit: 744 Hours @ /Items/17',
      'ignored 1: a price that takes effect later: it is read when it does (D2 uksouth)',
      'ignored 1: a price that has ended (D2 uksouth)',
      'ignored 1: an unknown type: Gift (D2 uksouth)',
      'ignored 1: an unknown type: (D2 undefined)',
      'ignored 1: not in US dollars: given for reference only (D2 uksouth)',
      'ignored 1: a reservation: its price is for the whole term (undefined uksouth)',
      'ignored 1: a meter for nothing: free, or its price is missing (azure Standard_D2 instance_hours at /Items/15)',
      'ignored 2: an unknown unit: 744 Hours (azure Standard_D2)',
      'next 2027-01-01T00:00:00.000Z',
    ])
  })
})

describe('an AWS offer file', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = {
      offerCode: 'X',
      products: {
        A: machine(),
        W: machine({ operatingSystem: 'Windows', tenancy: 'Dedicated', preInstalledSw: 'SQL Ent', licenseModel: 'Bring your own license', regionCode: undefined }),
        R: machine({ capacitystatus: 'AllocatedHost' }), Q: { attributes: { servicecode: 'AmazonEC2', usagetype: 'GB' } },
        N: { attributes: { instanceType: 'm6' } }, S: { productFamily: 'Storage', attributes: {} }, B: { productFamily: 'x' },
        T: { attributes: { titanModel: 'Titan', usagetype: 'T-output-tokens-batch', serviceTier: 'flex' } },
      },
      terms: {
        OnDemand: {
          A: {
            'A.1': term([
              rate('Hrs', '0.1'), rate('Hrs', '0', { beginRange: '0', endRange: '10', description: 'free' }), { unit: 'Hrs' },
              rate('744 Hrs', '1'), 5, rate('Hrs', '3', { beginRange: '5', endRange: '9', pricePerUnit: { CNY: '3' } }),
            ]),
            'A.2': term([rate('Hrs', '0.2')], { effectiveDate: '2027-01-01T00:00:00Z' }), 'A.3': 7,
          },
          W: { 'W.1': term([rate('Hrs', '0.3')]) },
          R: { 'R.1': term([rate('Hrs', '0.3', { description: 'host' }), rate('Hrs', '1')]) },
          Q: { 'Q.1': term([rate('GB', '0.5'), rate('', '1')], { effectiveDate: 'x' }) },
          N: { 'N.1': term([rate('Quantity', '2'), rate('7 Hrs', '1')]) }, S: { 'S.1': term([rate('100 GB', '2'), rate('3 GB', '2')]) },
          B: { 'B.1': term([rate('Hrs', '1')]) }, Z: { 'Z.1': term([]) },
          T: { 'T.1': term([rate('1K tokens', '0.002'), rate('7 tokens', '1')]) }, X: 3, Y: { 'Y.1': 1 },
        },
        Reserved: {
          A: {
            'A.8': term([rate('Hrs', '0.05')], { termAttributes: { LeaseContractLength: '1yr', PurchaseOption: 'No Upfront' } }),
            'A.9': term([rate('Hrs', '0.04')], { termAttributes: { LeaseContractLength: '3yr', PurchaseOption: 'Partial Upfront' } }),
            'A.0': term(3, { termAttributes: { PurchaseOption: 'No Upfront' } }),
          },
        },
      },
    } // biome-ignore format: one thing after another
    expect(allLines(parseAs('aws')(list))).toEqual([
      'provider aws Amazon Web Services',
      'aws m5 instance_hours usd_per_instance_hour USD {"region":"eu-1"} 0.1 effectiveFrom=2026-01-05 category=Compute Instance @ /terms/OnDemand/A/A.1/priceDimensions/R0/pricePerUnit/USD',
      'aws m5 instance_hours cny_per_instance_hour CNY {"region":"eu-1","volume":"5-9"} 3 effectiveFrom=2026-01-05 category=Compute Instance @ /terms/OnDemand/A/A.1/priceDimensions/R5/pricePerUnit/CNY',
      'aws m5 instance_hours usd_per_instance_hour USD {"operatingSystem":"windows","tenancy":"dedicated","edition":"SQL Ent","offer":"bring_your_own_license"} 0.3 effectiveFrom=2026-01-05 category=Compute Instance @ /terms/OnDemand/W/W.1/priceDimensions/R0/pricePerUnit/USD',
      'aws AmazonEC2 / GB usage usd_per_gb USD {"sku":"Q"} 0.5 @ /terms/OnDemand/Q/Q.1/priceDimensions/R0/pricePerUnit/USD',
      'aws N usage usd_per_quantity USD {"sku":"N"} 2 effectiveFrom=2026-01-05 @ /terms/OnDemand/N/N.1/priceDimensions/R0/pricePerUnit/USD',
      'aws S usage usd_per_gb USD {"sku":"S"} 0.02 effectiveFrom=2026-01-05 category=Storage @ /terms/OnDemand/S/S.1/priceDimensions/R0/pricePerUnit/USD',
      'aws Titan output_tokens usd_per_token USD {"service":"batch"} 0.000002 effectiveFrom=2026-01-05 @ /terms/OnDemand/T/T.1/priceDimensions/R0/pricePerUnit/USD',
      'aws m5 instance_hours usd_per_instance_hour USD {"region":"eu-1","service":"reserved_1yr"} 0.05 effectiveFrom=2026-01-05 category=Compute Instance @ /terms/Reserved/A/A.8/priceDimensions/R0/pricePerUnit/USD',
      'unreadable aws m5 dimension=instance_hours unit=usd_per_instance_hour currency=USD pricingTier={"region":"eu-1","volume":"0-10"} = "0" @ /terms/OnDemand/A/A.1/priceDimensions/R1/pricePerUnit/USD',
      'unreadable aws m5 dimension=instance_hours unit=usd_per_instance_hour currency=USD pricingTier={"region":"eu-1"} = nothing @ /terms/OnDemand/A/A.1/priceDimensions/R2/pricePerUnit/USD',
      'unreadable aws m5 = an unknown unit: 744 Hrs @ /terms/OnDemand/A/A.1/priceDimensions/R3',
      'unreadable aws AmazonEC2 / GB = an unknown unit:  @ /terms/OnDemand/Q/Q.1/priceDimensions/R1',
      'unreadable aws m6 = an unknown unit: 7 Hrs @ /terms/OnDemand/N/N.1/priceDimensions/R1',
      'unreadable aws S = an unknown unit: 3 GB @ /terms/OnDemand/S/S.1/priceDimensions/R1',
      'unreadable aws Titan = an unknown unit: 7 tokens @ /terms/OnDemand/T/T.1/priceDimensions/R1',
      'ignored 1: a rate of nothing: included, or free up to a volume (aws m5 instance_hours at /terms/OnDemand/A/A.1/priceDimensions/R1/pricePerUnit/USD)',
      'ignored 1: a price that is not a number (m5 instance_hours = nothing at /terms/OnDemand/A/A.1/priceDimensions/R2/pricePerUnit/USD)',
      'ignored 1: an unknown unit: 744 Hrs (aws m5)',
      'ignored 1: a rate that is not an object (R4)',
      'ignored 1: a price that takes effect later: it is read when it does (A OnDemand)',
      'ignored 4: a term of no product (A OnDemand)',
      'ignored 2: capacity that is reserved, not used: AllocatedHost (R host)',
      'ignored 1: an unknown unit: (aws AmazonEC2 / GB)',
      'ignored 1: an unknown unit: 7 Hrs (aws m6)',
      'ignored 1: an unknown unit: 3 GB (aws S)',
      'ignored 1: an unknown unit: 7 tokens (aws Titan)',
      'ignored 1: a term with a fee ahead: its price is not by the hour alone (A Reserved)',
      'next 2027-01-01T00:00:00.000Z',
    ])
  })
})

describe('the SkyPilot catalogue', () => {
  it('is read as a whole: each price with its place, and everything else with its reason', () => {
    const list = [
      'InstanceType,AcceleratorName,AcceleratorCount,Price,Region,AvailabilityZone,SpotPrice', 'm1,V100,4,2,eu,eu-a,1',
      ',H100,2,7,us,,', 'm2,,,0,us,,0', ',T4,1,0,us,,', 'm3,A10,1.5,3,,z,', 'm4,A10,x,3,,,0.5', ',,,,,,', '',
    ].join('\n') // biome-ignore format: one thing after another
    expect(allLines(parseAs('skypilot')(list, { options: { provider: 'acme', name: 'Acme' } }))).toEqual([
      'provider acme Acme',
      'acme H100 gpu_hours usd_per_gpu_hour USD {"region":"us"} 3.5 category=gpu @ line 3, Price',
      'acme m1 instance_hours usd_per_instance_hour USD {"region":"eu"} 2 billingCondition=4 × V100 @ line 2, Price',
      'acme m1 instance_hours usd_per_instance_hour USD {"region":"eu-a","service":"spot"} 1 billingCondition=4 × V100 @ line 2, SpotPrice',
      'acme m3 instance_hours usd_per_instance_hour USD {} 3 billingCondition=1.5 × A10 @ line 6, Price',
      'acme m4 instance_hours usd_per_instance_hour USD {} 3 @ line 7, Price',
      'acme m4 instance_hours usd_per_instance_hour USD {"service":"spot"} 0.5 @ line 7, SpotPrice',
      'unreadable acme m2 dimension=instance_hours unit=usd_per_instance_hour currency=USD pricingTier={"region":"us"} = "0" @ line 4',
      'unreadable acme m2 dimension=instance_hours unit=usd_per_instance_hour currency=USD pricingTier={"region":"us","service":"spot"} = "0" @ line 4',
      'ignored 4: no price for spot (H100 in us, line 3)',
      'ignored 2: a machine for nothing: its price is missing (acme m2 instance_hours at line 4)',
      'ignored 1: no price (in no region, line 8)',
    ])
  })
})

it.each([
  ['azure', { Items: { a: 1 } }, 'The list of prices is not a list: the format changed.'],
  ['azure', { Items: 3 }, 'The list of prices is not a list: the format changed.'],
  ['azure', { Items: [3] }, 'The list of prices holds something that is not an object at position 0.'],
  ['azure', { Other: [meter({})], Items: [] }, 'The list of prices is an empty list.'],
])('%s is refused where it is %j', (format, data, message) => {
  expect(() => parseAs(format)(data)).toThrow(message)
})

it('the SkyPilot catalogue needs a provider whose name is a text', () => {
  const parse = (options: object) =>
    parseAs('skypilot')('InstanceType,Price,Region\nm1,1,eu\n', { options: { ...options } })
  expect(() => parse({ provider: 7 })).toThrow('options.provider is not a text.')
  expect(parse({ name: 7 }).providers).toEqual([{ provider: 'tested', name: 'tested' }])
})
