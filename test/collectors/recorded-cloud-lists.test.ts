import { describe, expect, it } from 'vitest'
import { ignored, lines, parseAs } from './support.ts'

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
  it('gives machines and storage; a fee ahead is no price of anything', () => {
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

  it('are refused as an empty page, which the API answers to a filter that nothing meets', () => {
    expect(() => parseAs('azure')(page([]))).toThrow('The list of prices is an empty list.')
  })
})
