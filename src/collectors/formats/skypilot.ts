import type { PricingTier } from '../../catalog/schema.ts'
import { type Decimal, parseDecimal } from '../../lib/decimal.ts'
import { SnapshotError } from '../collector.ts'
import { csvReader, type Row } from '../reading/csv.ts'
import type { Observations } from '../reading/observations.ts'
import type { Quote } from '../reading/quote-rules.ts'
import { streaming } from '../reading/streaming.ts'

const NEEDED = ['InstanceType', 'Price', 'Region']

/**
 * SkyPilot's catalogue, `catalogs/<version>/<cloud>/vms.csv`: US dollars per hour of a machine, with its GPUs. The file
 * does not say whose it is: `options.provider` does, or the name of the source.
 */
export const skypilot = streaming({
  format: 'skypilot',
  parserVersion: 3,
  read(observations, { source }) {
    const { provider = source.source } = source.options
    if (typeof provider !== 'string') throw new SnapshotError('options.provider is not a text.')
    observations.provider(provider, typeof source.options.name === 'string' ? source.options.name : provider)
    return csvReader(NEEDED, (row) => readRow(observations, provider, row))
  },
})

/** The order of rows and zones changes from one file to the next; which of two differing zones is read must not. */
const rankOf = (row: Row): string =>
  `${row.InstanceType}\n${row.AcceleratorName}\n${row.Region}\n${row.AvailabilityZone ?? ''}`

function readRow(observations: Observations, provider: string, row: Row) {
  const { InstanceType: instance, Region: region, AvailabilityZone: zone } = row
  const offers: [string | undefined, PricingTier][] = [
    [row.Price, { ...(region && { region }) }],
    [row.SpotPrice, { ...((zone || region) && { region: zone || region }), service: 'spot' }],
  ]
  for (const [amount, tier] of offers) {
    const shown = `${instance || row.AcceleratorName} in ${region || 'no region'}, line ${row.line}`
    if (!amount) observations.ignore(`no price${tier.service ? ' for spot' : ''}`, shown)
    else if (parseDecimal(amount) === '0') {
      const locator = `line ${row.line}`
      if (instance)
        observations.zero(
          { provider, resource: instance, dimension: 'instance_hours', amount, tier, locator },
          'a machine for nothing: its price is missing',
        )
    } else {
      const locator = `line ${row.line}, ${tier.service ? 'SpotPrice' : 'Price'}`
      const sold = soldBy(row, amount)
      if (typeof sold === 'string') observations.ignore(sold, shown)
      else observations.price({ provider, ...sold, tier, locator, rank: rankOf(row) })
    }
  }
}

/**
 * What a row sells: a machine, with its GPUs as a condition; or GPUs without a machine, of which each is priced. Returns a
 * reason where that is not an exact price.
 */
function soldBy(row: Row, amount: string): Pick<Quote, 'resource' | 'dimension' | 'amount'> | string {
  const { InstanceType: instance, AcceleratorName: gpu, AcceleratorCount } = row
  const count = Number(AcceleratorCount)
  if (instance) {
    const gpus = gpu && count > 0 ? { billingCondition: `${count} × ${gpu}` } : {}
    return { resource: instance, dimension: 'instance_hours', amount, ...gpus }
  }
  if (!gpu) return 'neither a machine nor a GPU'
  const price = parseDecimal(amount)
  const one = price && Number.isInteger(count) && count > 0 ? divide(price, count) : undefined
  return one ? { resource: gpu, dimension: 'gpu_hours', amount: one, ...GPU } : 'no exact price of one GPU'
}

const GPU = { category: 'gpu' }

/** `price / by` where that is a decimal, else undefined: no price is rounded. */
export function divide(price: Decimal, by: number): string | undefined {
  let digits = by
  let scale = 0
  for (; digits % 10 === 0; scale++) digits /= 10
  for (; digits % 2 === 0; scale++) digits /= 2
  for (; digits % 5 === 0; scale++) digits /= 5
  const [whole = '', fraction = ''] = price.split('.')
  const decimals = fraction.length + scale
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(scale)
  const divisor = BigInt(by)
  if (scaled % divisor !== 0n) return undefined
  return parseDecimal(`${scaled / divisor}e-${decimals}`)
}
