import type { PriceRow } from '../types.ts'
import { compare } from './decimal.ts'
import { holdsAt } from './time-of-day.ts'
import { isRange, type Step, stepsOf } from './volume.ts'

/** What is asked of a price: the tier of the item, the input tokens of its request, and its time. */
export type ChargeQuery = { tier: Record<string, string>; contextTokens: string; at?: string }
/** `steps`: where the price has steps of a monthly volume. */
export type Charge = { row: PriceRow; steps?: Step[]; variesByTime: boolean }

/** The price of a dimension without one of its own, as sellers charge it. */
const CHARGED_AS: Record<string, string> = {
  cache_read_tokens: 'input_tokens',
  cache_write_tokens: 'input_tokens',
  input_text_tokens: 'input_tokens',
  input_image_tokens: 'input_tokens',
  input_audio_tokens: 'input_tokens',
  input_video_tokens: 'input_tokens',
  cache_read_audio_tokens: 'input_audio_tokens',
  cache_read_image_tokens: 'input_image_tokens',
  cache_read_video_tokens: 'input_video_tokens',
  cache_write_audio_tokens: 'input_audio_tokens',
  reasoning_tokens: 'output_tokens',
  output_text_tokens: 'output_tokens',
}

/** Returns a dimension, and those whose price is used where it has none of its own. */
export function chargedDimensions(dimension: string): string[] {
  const next = Object.hasOwn(CHARGED_AS, dimension) ? CHARGED_AS[dimension] : undefined
  return next === undefined ? [dimension] : [dimension, ...chargedDimensions(next)]
}

/** A cache entry lives this long where nothing else was asked for. */
const DEFAULT_TTL = '5m'

/**
 * Returns which of the current rows of one dimension hold: the one whose tier says most about the request, with the other
 * steps of its monthly volume. A tier that says something else does not hold; one that says nothing of what was asked does,
 * except for another `service`.
 */
export function chargeOf(rows: PriceRow[], wanted: ChargeQuery): Charge | undefined {
  const holding = rows.filter((row) => holds(row, wanted))
  const [row] = holding.sort((a, b) => preference(b, a))
  if (row === undefined) return undefined
  const atAnyTime = (other: PriceRow) => holds({ ...other, pricingTier: without(other, 'timeOfDay') }, wanted)
  const variesByTime =
    wanted.at === undefined && rows.some((other) => other.pricingTier.timeOfDay !== undefined && atAnyTime(other))
  const alike = holding.filter((other) => otherThanVolume(other) === otherThanVolume(row))
  const hasSteps = wanted.tier.volume === undefined && alike.some(({ pricingTier }) => pricingTier.volume !== undefined)
  return { row, variesByTime, ...(hasSteps && { steps: stepsOf(alike) }) }
}

function holds({ pricingTier }: PriceRow, { tier, contextTokens, at }: ChargeQuery): boolean {
  const service = tier.service === 'standard' ? undefined : tier.service
  if (service !== pricingTier.service) return false
  return Object.entries(pricingTier).every(([key, value]) => {
    if (key === 'service') return true
    if (key === 'context') return isAbove(contextTokens, value)
    if (key === 'timeOfDay') return tier.timeOfDay === value || (at !== undefined && holdsAt(value, at))
    if (key === 'volume' && tier.volume === undefined) return isRange(value)
    return value === (key === 'ttl' ? (tier.ttl ?? DEFAULT_TTL) : tier[key])
  })
}

const isAbove = (tokens: string, step: string): boolean => /^>\d+$/.test(step) && compare(tokens, step.slice(1)) > 0

/** More that is said about the request first, then the highest step, then dollars. */
function preference(a: PriceRow, b: PriceRow): number {
  const said = (row: PriceRow) => Object.keys(without(row, 'volume')).length
  const step = ({ pricingTier }: PriceRow) => Number(pricingTier.context?.slice(1) ?? 0)
  const dollars = ({ currency }: PriceRow) => (currency === 'USD' ? 1 : 0)
  return (
    said(a) - said(b) ||
    step(a) - step(b) ||
    dollars(a) - dollars(b) ||
    Object.keys(a.pricingTier).length - Object.keys(b.pricingTier).length ||
    (a.contentHash < b.contentHash ? 1 : -1)
  )
}

function without({ pricingTier }: PriceRow, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(pricingTier).filter(([name]) => name !== key))
}

/** What rows have in common that differ in their monthly volume alone. */
const otherThanVolume = (row: PriceRow): string =>
  JSON.stringify([row.source, row.unit, row.currency, Object.entries(without(row, 'volume')).sort()])
