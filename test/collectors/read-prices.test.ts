import { expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { readPrices } from '../../src/collectors/read-prices.ts'
import { limitsFor } from '../../src/collectors/reading-limits.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { isolation } from '../support/isolation.ts'

const source = sourceDeclaration.parse({ source: 'azure', format: 'azure', url: 'https://example.com/prices.json' })
const at = '2026-01-01T00:00:00.000Z' as Instant
const item = {
  currencyCode: 'USD',
  retailPrice: 0.096,
  armRegionName: 'westeurope',
  effectiveStartDate: '2025-12-01T00:00:00Z',
  meterName: 'D2',
  productName: 'Virtual Machines',
  skuName: 'D2',
  unitOfMeasure: '1 Hour',
  type: 'Consumption',
  armSkuName: 'Standard_D2',
}
const LIST = JSON.stringify({ Items: [item] })

async function read(text: string, write: () => undefined = () => undefined) {
  const parts: Uint8Array[] = []
  const keep = (part: Uint8Array) => {
    parts.push(part)
    return write()
  }
  const snapshot = await readPrices(isolation, { source, bytes: Buffer.from(text), at }, { write: keep })
  return { snapshot, staged: Buffer.concat(parts).toString() }
}

it('reads a list of five megabytes, which is given as a file, as it reads a small one', async () => {
  const small = await read(LIST)
  expect(small).toMatchObject({ snapshot: { kind: 'read' }, staged: expect.stringContaining('Standard_D2') })
  expect(await read(LIST + ' '.repeat(5 * 1024 * 1024))).toEqual(small)
})

it('says what is wrong with a list', async () => {
  expect((await read('{"Items":')).snapshot).toMatchObject({ kind: 'unreadable', problem: expect.any(String) })
})

it('fails as its writer failed', async () => {
  const fails = () => {
    throw new Error('the disk is full')
  }
  await expect(read(LIST, fails)).rejects.toThrow('the disk is full')
})

it('what reading may use grows with the size of a list, its memory up to 3 GB', () => {
  const megabytes = (count: number) => {
    const { cpuMs, timeoutMs, maxMemoryMb, maxResultMb, maxStreamMb } = limitsFor(count * 1024 * 1024)
    return [cpuMs, timeoutMs, maxMemoryMb, maxResultMb, maxStreamMb]
  }
  expect(megabytes(0)).toEqual([3_000, 30_000, 400, 384, 64])
  expect(megabytes(1)).toEqual([4_000, 40_000, 416, 384, 96])
  expect(megabytes(0.25)).toEqual([3_250, 32_500, 404, 384, 72])
  expect(megabytes(167)).toEqual([170_000, 1_700_000, 3_072, 384, 5_408])
  expect(megabytes(256)).toEqual([259_000, 2_590_000, 3_072, 384, 8_256])
})
