import type { PricingTier } from '../../catalog/schema.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { SnapshotError } from '../collector.ts'
import { isObject, type JsonObject, pointer, textAt } from '../reading/json.ts'
import { jsonReader } from '../reading/json-reader.ts'
import type { Observations } from '../reading/observations.ts'
import { isZero, type Quote } from '../reading/quote-rules.ts'
import { streaming } from '../reading/streaming.ts'

const PROVIDER = 'google-cloud'
/** What a machine's accelerators are charged under; cores, memory and disks are charged apart. */
const GROUPS = new Set(['GPU', 'TPU'])

/**
 * The Cloud Billing Catalog (cloudbilling.googleapis.com/v1/services/SERVICE/skus): accelerators by the hour, without the
 * machine around them. All pages are one document.
 */
export const googleCloud = streaming({
  format: 'google-cloud-skus',
  parserVersion: 1,
  paging: { list: 'skus', next: 'nextPageToken', parameter: 'pageToken' },
  read(observations, { at }) {
    observations.provider(PROVIDER, 'Google Cloud')
    let found = false
    return jsonReader({
      isOpened([key, ...below]) {
        if (key === 'skus' && below.length === 0) found = true
        return below.length === 0 && (key === undefined || key === 'skus')
      },
      onEntry([key, index], value) {
        if (key === 'nextPageToken' && value)
          throw new SnapshotError('The answer is one page of several; all were expected.')
        if (key !== 'skus') return
        if (typeof index !== 'number' || !isObject(value))
          throw new SnapshotError(`The list of SKUs holds something that is not an object at ${index}.`)
        readSku(observations, value, index, at)
      },
      onEnd() {
        if (!found) throw new SnapshotError('The answer has no `skus`: the format changed.')
      },
    })
  },
})

type SkuName = { resource: string; offer?: string; service?: string }

/** How a SKU's description says what is sold and how. The words `in …` name a place, which the regions say exactly. */
const SHAPES: [RegExp, Omit<SkuName, 'resource'>][] = [
  [/^Commitment v\d: (.+) running in .+ for 1 Years?$/, { service: 'commit_1yr' }],
  [/^Commitment v\d: (.+) running in .+ for 3 Years?$/, { service: 'commit_3yr' }],
  [/^Reserved (.+) in .+ in Calendar Mode$/, { offer: 'calendar_mode' }],
  [/^Reserved (.+) in .+$/, { offer: 'reserved' }],
  [/^DWS Defined Duration (.+) running in .+$/, { offer: 'dws_defined_duration' }],
  [/^(.+) attached to DWS Defined Duration VMs running in .+$/, { offer: 'dws_defined_duration' }],
  [/^Capacity Optimized (.+) running in .+$/, { offer: 'capacity_optimized' }],
  [/^Spot Preemptible (.+) running in .+$/, { service: 'spot' }],
  [/^(.+) attached to Spot Preemptible VMs running in .+$/, { service: 'spot' }],
  [/^(.+) running in .+$/, {}],
]

/** What Google's own sorting of SKUs says of each; a spot price is sorted under on demand at times. */
const USAGE: Record<string, (string | undefined)[]> = {
  OnDemand: [undefined, 'spot'],
  Preemptible: ['spot'],
  Commit1Yr: ['commit_1yr'],
  Commit3Yr: ['commit_3yr'],
}

/** No description is nearly as long. */
const MAX_DESCRIPTION = 300

function namedBy(description: string): SkuName | undefined {
  if (description.length > MAX_DESCRIPTION) return undefined
  for (const [shape, terms] of SHAPES) {
    const resource = shape.exec(description)?.[1]
    if (resource !== undefined) return / attached to | in |[:]/.test(resource) ? undefined : { resource, ...terms }
  }
  return undefined
}

function readSku(observations: Observations, sku: JsonObject, index: number, at: Instant) {
  const category = isObject(sku.category) ? sku.category : {}
  const group = textAt(category, 'resourceGroup') ?? ''
  const description = textAt(sku, 'description')?.trim() ?? ''
  if (!GROUPS.has(group) || textAt(category, 'resourceFamily') !== 'Compute')
    return observations.ignore('a SKU that is not an accelerator', `${group} ${description}`)
  const named = namedBy(description)
  if (!named || !USAGE[textAt(category, 'usageType') ?? '']?.includes(named.service))
    return observations.ignore('an accelerator that is described in unknown words', description)
  const infos = Array.isArray(sku.pricingInfo) ? sku.pricingInfo : []
  // The last one is in force; a list as of now has one.
  const [place, info] = [infos.length - 1, infos.at(-1)]
  const begins = isObject(info) ? parseInstant(textAt(info, 'effectiveTime') ?? '') : undefined
  if (begins && begins > at) return observations.later(begins, description)
  readRates(observations, sku, named, {
    info: isObject(info) ? info : {},
    from: begins?.slice(0, 10),
    locator: pointer('skus', index, 'pricingInfo', Math.max(place, 0)),
  })
}

type PricingInfo = { info: JsonObject; from?: string; locator: string }

function readRates(
  observations: Observations,
  sku: JsonObject,
  { resource, ...terms }: SkuName,
  { info, from, locator }: PricingInfo,
) {
  const expression = isObject(info.pricingExpression) ? info.pricingExpression : {}
  const rates = Array.isArray(expression.tieredRates) ? expression.tieredRates : []
  const regions = Array.isArray(sku.serviceRegions) ? sku.serviceRegions.filter((name) => typeof name === 'string') : []
  const price =
    rates.length === 1 && isObject(rates[0]) && isObject(rates[0].unitPrice) ? rates[0].unitPrice : undefined
  if (expression.usageUnit !== 'h') {
    const unit = textAt(expression, 'usageUnit') ?? 'none'
    return observations.unpriced(PROVIDER, resource, `a unit that is not an hour: ${unit}`, locator)
  }
  if (!price || regions.length === 0)
    return observations.unpriced(PROVIDER, resource, 'a price in steps, or without a region', locator)
  for (const region of regions) {
    const tier: PricingTier = { region, ...terms }
    const quoted: Quote = {
      provider: PROVIDER, resource, dimension: 'gpu_hours', amount: amountOf(price), currency: textAt(price, 'currencyCode'),
      tier, category: 'accelerator', effectiveFrom: from, rank: textAt(sku, 'skuId'), locator: `${locator}/pricingExpression`,
    } // biome-ignore format: one thing after another
    if (isZero(quoted.amount)) observations.zero(quoted, 'an accelerator for nothing: its price is missing')
    else observations.price(quoted)
  }
}

const NANOS = 9

/** `units` and `nanos` as one exact decimal; undefined where they are not whole numbers. */
function amountOf({ units = '0', nanos = 0 }: JsonObject): string | undefined {
  if (typeof units !== 'string' || !/^\d{1,12}$/.test(units)) return undefined
  if (typeof nanos !== 'number' || !Number.isSafeInteger(nanos) || nanos < 0 || nanos >= 10 ** NANOS) return undefined
  return `${units}.${String(nanos).padStart(NANOS, '0')}`
}
