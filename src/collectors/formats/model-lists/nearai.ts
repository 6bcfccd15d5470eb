import { lookUp } from '../../../lib/collections.ts'
import { SnapshotError } from '../../collector.ts'
import { isObject, type JsonObject } from '../../reading/json.ts'
import type { Amount, ModelList } from './declaration.ts'
import { endedBefore } from './ended.ts'

/** How many models the declared address asks for; the list says nothing of the others where there are more. */
const LIMIT = 1_000

/** cloud-api.near.ai/v1/model/list: an amount, its scale and its currency under each price, beside the model's name. */
export const nearai: ModelList = {
  format: 'nearai',
  parserVersion: 1,
  provider: 'nearai',
  name: 'NEAR AI Cloud',
  list: 'models',
  id: 'modelId',
  pricing: [],
  prices: {
    inputCostPerToken: { dimension: 'input_tokens', shift: 0 },
    outputCostPerToken: { dimension: 'output_tokens', shift: 0 },
    // Left out where caches have no price of their own.
    cacheReadCostPerToken: { dimension: 'cache_read_tokens', shift: 0, zeroIsFree: true },
    cacheWriteCostPerToken: { dimension: 'cache_write_tokens', shift: 0 },
  },
  needed: ['inputCostPerToken', 'outputCostPerToken'],
  check(models) {
    if (models.length >= LIMIT) throw new SnapshotError(`The list has ${LIMIT} models and may go on behind them.`)
  },
  leftOut: ({ metadata }, at) => endedBefore(at, isObject(metadata) ? metadata.deprecationDate : undefined),
  unclear: ({ textPricing: profile }) =>
    profile === undefined || profile === null || isReadable(profile)
      ? undefined
      : 'a profile of prices that is unknown',
  amounts(model) {
    const { textPricing: profile, metadata: _, ...prices } = model
    if (isObject(profile)) return fromProfile(profile)
    return Object.entries(prices).flatMap(([key, value]): Amount[] =>
      key === 'costPerImage' && isObject(value) && value.amount === 0 ? [] : [{ key, value: scaled(value), at: [key] }],
    )
  },
}

/** `{amount: 850, scale: 9, currency: 'USD'}`: 850 billionths of a dollar. */
function scaled(value: unknown): unknown {
  if (!isObject(value) || value.currency !== 'USD' || !Number.isSafeInteger(value.scale)) return value
  const { amount } = value
  return typeof amount === 'number' || typeof amount === 'string' ? `${amount}e-${value.scale}` : value
}

/** Of what a profile has: exact texts by the million, of which the prices beside it are rounded copies. */
const RATES: { [name: string]: string } = {
  uncachedInput: 'inputCostPerToken',
  cachedInput: 'cacheReadCostPerToken',
  cacheWrite: 'cacheWriteCostPerToken',
  output: 'outputCostPerToken',
}

const SERVICES: { [name: string]: { service?: string } } = {
  default: {},
  flex: { service: 'flex' },
  priority: { service: 'priority' },
}

function isReadable(profile: unknown): boolean {
  if (!isObject(profile) || !isObject(profile.tiers)) return false
  const { version, currency, unit, longContextThreshold: from, tiers } = profile
  const isKnown = version === 1 && currency === 'USD' && unit === 'million_tokens'
  const bands = Object.entries(tiers).flatMap(([service, of]) =>
    Object.hasOwn(SERVICES, service) && isObject(of) ? Object.keys(of) : ['unknown'],
  )
  const isFrom = Number.isSafeInteger(from) && Number(from) > 0
  return isKnown && bands.every((band) => band === 'short' || (band === 'long' && isFrom))
}

/** A request with more tokens than the threshold is `long`. */
function fromProfile({ tiers, longContextThreshold: from }: JsonObject): Amount[] {
  return Object.entries(tiers as JsonObject).flatMap(([service, bands]) =>
    Object.entries(bands as JsonObject).flatMap(([band, rates]) =>
      Object.entries(isObject(rates) ? rates : {}).flatMap(([name, value]): Amount[] => {
        if (value === null) return []
        const tier = { ...SERVICES[service], ...(band === 'long' && { context: `>${from}` }) }
        const perToken = typeof value === 'string' ? `${value}e-6` : value
        return [
          {
            key: lookUp(RATES, name) ?? `${name} rate`,
            value: perToken,
            at: ['textPricing', 'tiers', service, band, name],
            tier,
          },
        ]
      }),
    ),
  )
}
