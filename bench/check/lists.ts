import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

export type Form = 'csv' | 'json'
type Difference = { reversed?: boolean; changed?: boolean }

const MACHINES = 2_500

/** Writes a list of a cloud's machines with this many prices: as SkyPilot's CSV, or as pages of Azure in one document. */
export async function writeList(file: string, form: Form, lines: number, difference: Difference = {}): Promise<void> {
  const out = createWriteStream(file)
  const rows = form === 'csv' ? lines / 2 : lines
  let text =
    form === 'csv'
      ? 'InstanceType,vCPUs,MemoryGiB,Region,AvailabilityZone,Price,SpotPrice,AcceleratorName\n'
      : '{"Items":['
  for (let n = 0; n < rows; n++) {
    const i = difference.reversed ? rows - 1 - n : n
    const row = form === 'csv' ? csvRow(i, difference) : (n === 0 ? '' : ',') + jsonRow(i, difference)
    text += row
    if (text.length < 1_000_000) continue
    if (!out.write(text)) await once(out, 'drain')
    text = ''
  }
  out.end(form === 'csv' ? text : `${text}],"Count":${rows}}`)
  await once(out, 'finish')
}

const priceOf = (i: number, changed: boolean | undefined) =>
  (((i % 997) + 10 + (changed && i === 7 ? 1 : 0)) / 1_000).toString()
const machineOf = (i: number) => `m${i % 7}.${i % MACHINES}xlarge`
const regionOf = (i: number) => `region-${Math.floor(i / MACHINES)}`

function csvRow(i: number, { changed }: Difference): string {
  const [cpus, region] = [(i % MACHINES) + 1, regionOf(i)]
  return `${machineOf(i)},${cpus},${cpus * 4},${region},${region}a,${priceOf(i, changed)},${priceOf(i + 3, false)},\n`
}

function jsonRow(i: number, { changed }: Difference): string {
  const region = regionOf(i)
  return JSON.stringify({
    currencyCode: 'USD',
    tierMinimumUnits: 0,
    retailPrice: Number(priceOf(i, changed)),
    unitPrice: Number(priceOf(i, changed)),
    armRegionName: region,
    location: region,
    effectiveStartDate: '2026-01-01T00:00:00Z',
    meterId: `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`,
    meterName: machineOf(i),
    productId: 'DZH318Z0BQ35',
    skuId: `DZH318Z0BQ35/${i}`,
    productName: 'Virtual Machines Series',
    skuName: machineOf(i),
    serviceName: 'Virtual Machines',
    serviceId: 'DZH313Z7MMC8',
    serviceFamily: 'Compute',
    unitOfMeasure: '1 Hour',
    type: 'Consumption',
    isPrimaryMeterRegion: true,
    armSkuName: machineOf(i),
  })
}
