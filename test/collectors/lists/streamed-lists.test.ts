import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { collectorFor, SnapshotError } from '../../../src/collectors/index.ts'
import { readPrices } from '../../../src/collectors/read-prices.task.ts'
import { startObservations } from '../../../src/collectors/reading/observations.ts'
import { parseInstant } from '../../../src/lib/instant.ts'
import { EMPTY } from '../../support/empty.ts'

const at = parseInstant('2026-11-21T00:00:00Z')!
const azureItem = (n: number, more: object = {}) => ({
  currencyCode: 'USD',
  retailPrice: 1 + n,
  armRegionName: `région "${n}" \\`,
  effectiveStartDate: '2026-01-01T00:00:00Z',
  meterName: `D${n}`,
  productName: 'Virtual Machines',
  skuName: `D${n}`,
  unitOfMeasure: '1 Hour',
  type: 'Consumption',
  armSkuName: `Standard_D${n}`,
  ...more,
})
const product = (n: number) => ({
  sku: `SKU${n}`,
  productFamily: 'Compute Instance',
  attributes: { regionCode: `r${n}`, instanceType: 'm5.large', operatingSystem: 'Linux', tenancy: 'Shared' },
})
const term = (n: number) => ({
  [`SKU${n}.T`]: {
    effectiveDate: '2026-01-01T00:00:00Z',
    priceDimensions: {
      [`SKU${n}.T.R`]: { unit: 'Hrs', pricePerUnit: { USD: `0.0${n + 1}` }, beginRange: '0', endRange: 'Inf' },
    },
    termAttributes: {},
  },
})
const numbers = [0, 1, 2]
const byNumber = <T>(make: (n: number) => T) => Object.fromEntries(numbers.map((n) => [`SKU${n}`, make(n)]))

const LISTS = {
  azure: JSON.stringify({ Items: numbers.map((n) => azureItem(n)), NextPageLink: null, Count: 3 }, null, 1),
  aws: JSON.stringify({ products: byNumber(product), terms: { OnDemand: byNumber(term), Reserved: {} } }),
  skypilot:
    'InstanceType,Region,AvailabilityZone,Price,SpotPrice\nm1,"east, ""1""",a,1.5,0.5\nm2,west,b,2,\r\n"m\n3",é,c,3,1',
}

/** Reads a text in parts of this many bytes. */
function readIn(format: keyof typeof LISTS, text: string, size: number) {
  const observations = startObservations()
  const source = sourceDeclaration.parse({ source: 'tested', format, options: { provider: 'cloud' } })
  const reader = collectorFor(format)!.read!(observations, { source, at })
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size))
  reader.end()
  return observations.done()
}

describe.each(Object.entries(LISTS) as [keyof typeof LISTS, string][])('a list of %s', (format, text) => {
  it('is the same wherever its parts end', () => {
    const whole = readIn(format, text, text.length * 2)
    expect(whole.observations.length).toBeGreaterThanOrEqual(3)
    for (const size of [1, 2, 3, 5, 7, 64]) expect(readIn(format, text, size)).toEqual(whole)
  })

  it('is refused wherever it is cut off, or has fewer prices', () => {
    const whole = readIn(format, text, text.length * 2)
    const ends = Array.from({ length: 40 }, (_, n) => Math.floor((text.length * n) / 40))
    for (const end of ends) {
      const read = () => readIn(format, text.slice(0, end), 16)
      if (format !== 'skypilot') expect(read).toThrow(SnapshotError)
      else expect(pricesOrNone(read)).toBeLessThan(whole.observations.length)
    }
  })
})

function pricesOrNone(read: () => { observations: unknown[] }): number {
  try {
    return read().observations.length
  } catch (error) {
    expect(error).toBeInstanceOf(SnapshotError)
    return 0
  }
}

describe('damage in the middle of a list', () => {
  it.each([
    ['a value that is none', LISTS.azure.replace('"retailPrice": 2', '"retailPrice": NaN'), /NaN or Infinity/],
    ['a comma too many', LISTS.azure.replace('},\n  {', '},,{'), /is not JSON/],
    ['a bracket too many', LISTS.azure.replace('"Count"', '], "Count"'), /is not JSON/],
    ['an item that is a text', JSON.stringify({ Items: [azureItem(0), 'x'] }), /not an object at position 1/],
    ['a text after the end', `${LISTS.azure} {}`, /is not JSON/],
    ['a page', '<!doctype html><p>Sign in</p>', /web page/],
  ])('such as %s is one sentence', (_, text, message) => {
    expect(() => readIn('azure', text, 32)).toThrow(message)
  })

  it('in a row of a table names its line', () => {
    const rows = Array.from({ length: 40 }, (_, n) => `m${n},east,a,1,1`)
    rows[30] = 'm30,east'
    const text = `InstanceType,Region,AvailabilityZone,Price,SpotPrice\n${rows.join('\n')}\n`
    expect(() => readIn('skypilot', text, 100)).toThrow(/damaged or cut off.* on line 32/)
  })
})

describe('the terms of an offer file', () => {
  it('are read though they come before the products', () => {
    const { products, terms } = JSON.parse(LISTS.aws)
    const turned = JSON.stringify({ terms, products })
    expect(readIn('aws', turned, 50).observations).toEqual(readIn('aws', LISTS.aws, 50).observations)
  })
})

describe('a list of 20,000 lines', () => {
  it('is given part by part: no more of it is kept than one part of its bytes says', async () => {
    const source = sourceDeclaration.parse({ source: 'tested', format: 'skypilot', options: { provider: 'cloud' } })
    const rows = Array.from({ length: 10_000 }, (_, n) => `m${n % 100},region-${n},a,0.5,0.25`)
    const bytes = Buffer.from(`InstanceType,Region,AvailabilityZone,Price,SpotPrice\n${rows.join('\n')}`)
    let [lines, largest] = [0, 0]
    const emit = async (part: Uint8Array) => {
      lines += Buffer.from(part).toString().split('\n').length - 1
      largest = Math.max(largest, part.length)
    }
    const read = await readPrices({ source, body: bytes, at }, emit)
    expect(read).toMatchObject({ providers: [{ provider: 'cloud' }], suppressed: EMPTY })
    expect(lines).toBe(20_000)
    // A part holds what one part of the bytes gives: 256 KB of rows, each with two lines.
    expect(largest).toBeLessThan(3_000_000)
  })
})
