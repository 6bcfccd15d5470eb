import { canonicalTimeOfDay } from '../../../catalog/clock/time-of-day-rules.ts'
import type { PricingTier } from '../../../catalog/schema.ts'
import { isObject, type JsonObject } from '../../reading/json.ts'
import type { Amount, ModelList, PriceKey, Reading } from './declaration.ts'

/** US dollars per one: decimal texts. */
const PRICES: Record<string, PriceKey> = {
  prompt: { dimension: 'input_tokens', shift: 0, zeroIsFree: true },
  completion: { dimension: 'output_tokens', shift: 0, zeroIsFree: true },
  internal_reasoning: { dimension: 'reasoning_tokens', shift: 0 },
  input_cache_read: { dimension: 'cache_read_tokens', shift: 0 },
  input_cache_write: { dimension: 'cache_write_tokens', shift: 0 },
  input_cache_write_1h: { dimension: 'cache_write_tokens', shift: 0 },
  audio: { dimension: 'input_audio_tokens', shift: 0 },
  audio_output: { dimension: 'output_audio_tokens', shift: 0 },
  input_audio_cache: { dimension: 'cache_read_audio_tokens', shift: 0 },
  image: { dimension: 'input_images', shift: 0 },
  image_token: { dimension: 'input_image_tokens', shift: 0 },
  image_output: { dimension: 'output_image_tokens', shift: 0 },
  request: { dimension: 'requests', shift: 0 },
  web_search: { dimension: 'web_searches', shift: 0 },
}

/** openrouter.ai `GET /api/v1/models`: what OpenRouter charges for each model it resells. */
export const openrouter: ModelList = {
  format: 'openrouter',
  parserVersion: 6,
  provider: 'openrouter',
  name: 'OpenRouter',
  list: 'data',
  id: 'id',
  pricing: ['pricing'],
  prices: PRICES,
  needed: ['prompt', 'completion'],
  amounts,
  facts: ({ context_length: context, top_provider: top, created }) => ({
    context,
    output: isObject(top) ? top.max_completion_tokens : undefined,
    released: created,
  }),
}

const TTL: Record<string, PricingTier> = { input_cache_write_1h: { ttl: '1h' } }
const CONDITIONS = ['min_prompt_tokens', 'utc_days', 'utc_start', 'utc_end']
const TIMES = CONDITIONS.slice(1)
const OVERRIDES = 'overrides'

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Prices, and `overrides`: the same keys again under a condition. Where a model has prices by the time of day, the ones
 * above them are those of the hour at which the list was asked for, and no price of the whole day.
 */
function amounts(pricing: JsonObject, { report }: Reading): Amount[] {
  const { [OVERRIDES]: given, ...base } = pricing
  if (given !== undefined && given !== null && !Array.isArray(given)) report('overrides that are not a list', given)
  const overrides: unknown[] = Array.isArray(given) ? given : []
  const timed = new Set(
    overrides.flatMap((override) =>
      isObject(override) && TIMES.some((name) => name in override) ? Object.keys(override).map(snakeCase) : [],
    ),
  )
  const allDay = amountsOf(base).filter(({ key, value }) => {
    if (timed.has(key)) report('a price of the hour, beside those by the time of day', `${key} = ${value}`)
    return !timed.has(key)
  })
  const under = overrides.flatMap((override, index) => {
    const tier = isObject(override) ? tierOf(override) : undefined
    if (!isObject(override) || !tier) {
      report('prices under an unknown condition', override)
      return []
    }
    const prices = Object.fromEntries(Object.entries(override).filter(([name]) => !CONDITIONS.includes(name)))
    return amountsOf(prices).map((amount) => ({
      ...amount,
      at: [OVERRIDES, index, ...amount.at],
      tier: { ...amount.tier, ...tier },
    }))
  })
  return [...allDay, ...under]
}

function amountsOf(prices: JsonObject): Amount[] {
  return Object.entries(prices).flatMap(([name, value]) => {
    if (value === null) return []
    // An image costs as much as a token only where the list means a token of an image, as it does since 2026.
    const isToken = name === 'image' && Number(value) === Number(prices.prompt)
    const known = isToken ? 'image_token' : snakeCase(name)
    const key = Object.hasOwn(PRICES, known) ? known : name
    return [{ key, value, at: [name], tier: TTL[key] }]
  })
}

/** The tier of an override, or undefined where its condition is not known for certain. */
function tierOf(override: JsonObject): PricingTier | undefined {
  const keys = Object.keys(override).map(snakeCase)
  if (keys.some((key) => !Object.hasOwn(PRICES, key) && !CONDITIONS.includes(key))) return undefined
  const { min_prompt_tokens: from } = override
  if (from !== undefined && (!Number.isSafeInteger(from) || Number(from) <= 0)) return undefined
  const timeOfDay = TIMES.some((name) => name in override) ? timeOf(override) : undefined
  if (timeOfDay === undefined && (from === undefined || TIMES.some((name) => name in override))) return undefined
  return { ...(from !== undefined && { context: `>${from}` }), ...(timeOfDay && { timeOfDay }) }
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const SHORT = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** `utc_start` and `utc_end` are times as numbers, 1630 and 30; an end of 0 is midnight. Without them it is all day. */
function timeOf({ utc_days: days, utc_start: start, utc_end: end }: JsonObject): string | undefined {
  const isAllDay = start === undefined && end === undefined
  const [from, until] = isAllDay ? ['00:00Z', '24:00Z'] : [clock(start), end === 0 ? '24:00Z' : clock(end)]
  if (from === undefined || until === undefined) return undefined
  if (days === undefined) return canonicalTimeOfDay(`${from}-${until}`)
  // Whether the days are those on which a window begins is not said: it matters only for one across midnight.
  if (!Array.isArray(days) || days.length === 0 || from >= until) return undefined
  const short = days.map((day) => SHORT[DAYS.indexOf(day as string)])
  return short.includes(undefined) ? undefined : canonicalTimeOfDay(`${short.join(',')} ${from}-${until}`)
}

function clock(value: unknown): string | undefined {
  if (!Number.isSafeInteger(value) || Number(value) < 0 || Number(value) >= 2_400 || Number(value) % 100 >= 60)
    return undefined
  const text = String(value).padStart(4, '0')
  return `${text.slice(0, 2)}:${text.slice(2)}Z`
}
