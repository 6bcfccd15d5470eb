import type { PricingTier } from '../../../catalog/schema.ts'
import { type Decimal, parseDecimal, scaleDown, times } from '../../../lib/decimal.ts'
import { type Instant, parseInstant, SECOND } from '../../../lib/instant.ts'
import type { JsonObject } from '../../reading/json.ts'
import type { Amount, ModelList, Reading } from './declaration.ts'

/** api.deepinfra.com `GET /models/list`: US cents per one, and shares of them. */
export const deepinfra: ModelList = {
  format: 'deepinfra',
  parserVersion: 1,
  provider: 'deepinfra',
  name: 'DeepInfra',
  id: 'model_name',
  pricing: ['pricing'],
  prices: {
    cents_per_input_token: { dimension: 'input_tokens', shift: 2 },
    cents_per_output_token: { dimension: 'output_tokens', shift: 2 },
    rate_per_input_token_cached: { dimension: 'cache_read_tokens', shift: 2 },
    rate_per_input_token_cache_write: { dimension: 'cache_write_tokens', shift: 2 },
    cents_per_input_chars: { dimension: 'input_characters', shift: 2 },
    cents_per_input_sec: { dimension: 'input_audio_seconds', shift: 2 },
  },
  needed: ['cents_per_input_token', 'cents_per_output_token'],
  notPrices: (key) => ['type', 'short', 'full', 'table', 'discount', 'discount_ends_at'].includes(key),
  leftOut(model, at) {
    if (model.private) return 'a model that is not public'
    if (model.expected) return 'a model that is announced'
    const { deprecated: ends } = model
    const hasEnded = typeof ends === 'number' && ends * SECOND <= Date.parse(at)
    return hasEnded ? 'a model that is no longer served' : undefined
  },
  amounts,
}

/** A share with more digits was rounded: its product is not the price. */
const MAX_SHARE_DIGITS = 4
const SHARES = { rate_per_input_token_cached: '', rate_per_input_token_cache_write: '' }
const SERVICES = { rate_per_service_tier_priority: 'priority', rate_per_service_tier_flex: 'flex' }

/** A promotion is a share off all prices, until an instant where one is named. A price is given without it. */
function amounts(pricing: JsonObject, reading: Reading): Amount[] {
  if (pricing.table || (typeof pricing.full === 'string' && /[<>]/.test(pricing.full))) {
    reading.report('prices by the size of the request, in words', pricing.full ?? pricing.table)
    return []
  }
  const charged = chargedShare(pricing, reading)
  if (charged === undefined) return []
  const base = pricesOf(pricing, charged)
  const services = Object.entries(SERVICES).flatMap(([key, service]): Amount[] => {
    const share = pricing[key]
    if (share === undefined || share === null) return []
    return base
      .filter((amount) => amount.key.endsWith('_token') || amount.key.endsWith('_cached'))
      .map((amount) => withShare(amount, share, { service }, [...amount.at, key]))
  })
  return [...base, ...services]
}

function pricesOf(pricing: JsonObject, charged: Decimal): Amount[] {
  return Object.entries(pricing).flatMap(([key, value]): Amount[] => {
    if (value === null || Object.hasOwn(SERVICES, key)) return []
    const at = [key]
    if (Object.hasOwn(SHARES, key)) {
      const input = { key, value: pricing.cents_per_input_token, at }
      return [withShare(withShare(input, charged), value)]
    }
    return [key.startsWith('cents_') ? withShare({ key, value, at }, charged) : { key, value, at }]
  })
}

/** The amount times a share; as no number where the share was rounded. */
function withShare(amount: Amount, share: unknown, tier: PricingTier = {}, at = amount.at): Amount {
  const factor = parseDecimal(String(share))
  const value = parseDecimal(String(amount.value))
  const isExact = factor !== undefined && (factor.split('.')[1] ?? '').length <= MAX_SHARE_DIGITS
  const product = isExact && value !== undefined ? times(value, factor) : `${share} of ${amount.value}`
  return { ...amount, at, value: factor === '1' ? amount.value : product, tier: { ...amount.tier, ...tier } }
}

/** What is left of each price: 1, or less during a promotion. */
function chargedShare(
  { discount, discount_ends_at: ends }: JsonObject,
  { at, report, later }: Reading,
): Decimal | undefined {
  const off = parseDecimal(String(discount ?? 0))
  const until: Instant | undefined = parseInstant(String(ends ?? ''))
  const isKnown = off !== undefined && !off.startsWith('-') && Number(off) < 1 && (!ends || until !== undefined)
  if (!isKnown) {
    report('a promotion of an unknown kind', { discount, ends })
    return undefined
  }
  if (until !== undefined && until <= at) return '1' as Decimal
  if (until !== undefined && off !== '0') later(until, { discount, ends })
  const places = (off.split('.')[1] ?? '').length
  return scaleDown(String(10n ** BigInt(places) - BigInt(off.replace('.', ''))) as Decimal, places)
}
