import type { Dimension, PricingTier } from '../../catalog/schema.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { SnapshotError } from '../collector.ts'
import { canonicalOf } from '../reading/canonical-ids.ts'
import { isObject, type JsonObject, pointer, textAt } from '../reading/json.ts'
import { jsonReader } from '../reading/json-reader.ts'
import type { Observations } from '../reading/observations.ts'
import { quantityOf, volumeTier } from '../reading/quantities.ts'
import { isZero, type Quote, shownValue } from '../reading/quote-rules.ts'
import { streaming } from '../reading/streaming.ts'
import { type NamedMeter, namedMeters } from './azure-names.ts'

const PROVIDER = 'azure'

/**
 * Azure Retail Prices (prices.azure.com/api/retail/prices): all pages as one document, its items in one list. Which
 * services are read is the `$filter` in the source's URL.
 */
export const azure = streaming({
  format: 'azure',
  parserVersion: 8,
  paging: { list: 'Items', next: 'NextPageLink' },
  read(observations, { at, source }) {
    observations.provider(PROVIDER, 'Microsoft Azure')
    const named = source.modelNames && namedMeters(source.modelNames)
    let items: 'none' | 'empty' | 'some' = 'none'
    return jsonReader({
      isOpened([key, ...below]) {
        if (key === 'Items' && below.length === 0) items = 'empty'
        return below.length === 0 && (key === undefined || key === 'Items')
      },
      onEntry([key, index], value) {
        if (key === 'NextPageLink' && value)
          throw new SnapshotError('The answer is one page of several; all were expected.')
        if (key !== 'Items') return
        if (typeof index !== 'number') throw new SnapshotError('The list of prices is not a list: the format changed.')
        if (!isObject(value))
          throw new SnapshotError(`The list of prices holds something that is not an object at position ${index}.`)
        items = 'some'
        readItem({ observations, named, at }, value, pointer('Items', index))
      },
      onEnd() {
        if (items === 'none') throw new SnapshotError('The answer has no `Items`: the format changed.')
        if (items === 'empty') throw new SnapshotError('The list of prices is an empty list.')
      },
    })
  },
})

type Reading = { observations: Observations; named?: NamedMeter; at: Instant }

/** Reads an item, unless its price has not begun or has ended. */
function readItem({ observations, named, at }: Reading, item: JsonObject, locator: string) {
  const begins = textAt(item, 'effectiveStartDate') ?? ''
  const from = parseInstant(begins)
  const until = parseInstant(textAt(item, 'effectiveEndDate') ?? '')
  const shown = `${textAt(item, 'meterName')} ${textAt(item, 'armRegionName')}`
  if (from && from > at) observations.later(from, shown)
  else if (until && until <= at) observations.ignore('a price that has ended', shown)
  else {
    const placed = { shown, locator, rank: latestFirst(begins), effectiveFrom: from?.slice(0, 10) }
    readPrice(observations, item, placed, named)
  }
}

/** Of one meter's prices the last one already begun is in force: returns a rank that is lower the later a text is. */
const latestFirst = (text: string): string =>
  `${text.replace(/[ -~]/g, (character) => String.fromCharCode(0x9e - character.charCodeAt(0)))}~`

const NO_TOKENS = { leftOut: 'not a price of tokens' }
const FREE = 'a meter for nothing: free, or its price is missing'

type Placement = { shown: string; locator: string; rank: string; effectiveFrom?: string }

function readPrice(observations: Observations, item: JsonObject, placed: Placement, named?: NamedMeter) {
  const { shown, locator, rank, effectiveFrom } = placed
  const type = textAt(item, 'type') ?? ''
  const [product = '', sku = '', meter = ''] = [
    textAt(item, 'productName'),
    textAt(item, 'skuName'),
    textAt(item, 'meterName'),
  ]
  if (item.currencyCode !== 'USD') return observations.ignore('not in US dollars: given for reference only', shown)
  if (type === 'Reservation') return observations.ignore('a reservation: its price is for the whole term', shown)
  if (type !== 'Consumption' && type !== 'DevTestConsumption')
    return observations.ignore(`an unknown type: ${type}`, shown)
  const machine = product.startsWith('Virtual Machines') ? textAt(item, 'armSkuName') : undefined
  const quantity = quantityOf(textAt(item, 'unitOfMeasure') ?? '')
  if (!quantity) {
    const reason = `an unknown unit: ${textAt(item, 'unitOfMeasure') ?? shownValue(item.unitOfMeasure)}`
    return observations.unpriced(PROVIDER, machine ?? `${product} / ${meter}`, reason, locator)
  }
  const region = textAt(item, 'armRegionName')
  if (named) {
    const tokens = quantity.unit === 'count' || quantity.unit === 'token' ? named(sku, region) : NO_TOKENS
    if ('leftOut' in tokens || type !== 'Consumption')
      return observations.ignore('leftOut' in tokens ? tokens.leftOut : `another type: ${type}`, shown)
    const quoted = {
      ...{ ...tokens, ...placed, provider: PROVIDER, amount: item.retailPrice, decimalShift: quantity.decimalShift },
      canonicalResource: canonicalOf(PROVIDER, tokens.resource), category: textAt(item, 'serviceName'),
    } // biome-ignore format: one thing after another
    return isZero(quoted.amount) ? observations.zero(quoted, FREE) : observations.price(quoted)
  }
  const least = item.tierMinimumUnits
  const from = typeof least === 'number' || typeof least === 'string' ? String(least) : '0'
  const tier: PricingTier = {
    ...(region && region !== 'Global' && { region }),
    ...volumeTier(from, undefined, quantity),
    ...(/\bSpot\b/.test(sku) && { service: 'spot' }),
    ...(/\bLow Priority\b/.test(sku) && { service: 'low_priority' }),
    ...(type === 'DevTestConsumption' && { service: 'devtest' }),
  }
  // A zero is a free meter or one whose price is missing: the line is listed, and nothing says what it costs.
  const take = (quoted: Quote) => (isZero(quoted.amount) ? observations.zero(quoted, FREE) : observations.price(quoted))
  const common = {
    provider: PROVIDER,
    amount: item.retailPrice,
    decimalShift: quantity.decimalShift,
    effectiveFrom,
    locator,
    rank,
  }
  if (machine && quantity.unit === 'hour')
    return take({
      ...common, resource: machine, dimension: 'instance_hours', category: 'Virtual Machines',
      tier: { ...tier, ...(/Windows/.test(product) && { operatingSystem: 'windows' }) },
    }) // biome-ignore format: one thing after another
  const dimension = tokensOf(`${sku} ${meter}`, quantity.unit)
  take({
    ...common,
    resource: dimension ? sku : `${product} / ${meter}`,
    canonicalResource: dimension && canonicalOf(PROVIDER, sku),
    dimension: dimension ?? 'usage',
    unit: dimension ? undefined : `usd_per_${quantity.unit}`,
    category: textAt(item, 'serviceName'),
    tier: dimension
      ? tier
      : { ...tier, sku: [textAt(item, 'skuId'), textAt(item, 'meterId')].filter(Boolean).join(' ') || sku },
  })
}

/**
 * Meters of models are named in words: `gpt 4.1 cached Inp glbl Tokens`, `5.1 pp cd inp Dz 1M Tokens`,
 * `gpt-5-codex-ccchd-inp-glbl Tokens`, `5.4 pp opt Gl 1M Tokens`.
 */
function tokensOf(name: string, unit: string): Dimension | undefined {
  if (unit !== 'count' || !/\btokens?\b/i.test(name)) return undefined
  if (/\b(cached?|c+hd|cd)\b/i.test(name)) return 'cache_read_tokens'
  if (/\b(inp|input|in)\b/i.test(name)) return 'input_tokens'
  return /\b(outp|opt|output|out)\b/i.test(name) ? 'output_tokens' : undefined
}
