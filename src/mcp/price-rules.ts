import type { PriceRow } from '../../clients/typescript/src/index.ts'
import { parseDecimal } from '../lib/decimal.ts'
import { plural } from '../lib/text/plural.ts'
import type { PriceAnswer } from './schema.ts'

/** Returns the exact price of a million tokens; undefined when the row prices something else. */
export const perMillionTokens = ({ unit, price }: Pick<PriceRow, 'unit' | 'price'>): string | undefined =>
  unit.endsWith('_per_token') ? parseDecimal(`${price}e6`) : undefined

/** Returns `context >272000, region eu`; an empty text for the standard tier. */
export const tierText = (tier: Record<string, string>): string =>
  Object.entries(tier)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** Returns `1.25 USD per million tokens (exactly 0.00000125 per token)`. */
export function priceText(row: Pick<PriceRow, 'unit' | 'price' | 'currency'>): string {
  const million = perMillionTokens(row)
  if (million !== undefined) return `${million} ${row.currency} per million tokens (exactly ${row.price} ${row.unit})`
  return `${row.price} ${row.currency} (${row.unit})`
}

type ConfirmationFacts = Pick<PriceAnswer, 'confirmedAt' | 'contradictedSince' | 'confirmedBy'>

/** Returns who confirmed a price, as of the instant it was read at; an empty text where nothing is known of that. */
export function confirmationText({ confirmedAt, contradictedSince, confirmedBy }: ConfirmationFacts): string {
  const { agree, disagree } = confirmedBy ?? { agree: [], disagree: [] }
  const others = disagree.map(({ source, price }) => (price === undefined ? source : `${source}: ${price}`)).join(', ')
  if (contradictedSince !== undefined) return `contradicted since ${contradictedSince} (${others})`
  const by = agree.some(({ rank }) => rank === 'provider')
    ? 'confirmed by the provider'
    : agree.length > 1
      ? `confirmed by ${agree.map(({ source }) => source).join(', ')}`
      : agree.length === 1
        ? 'read in a list, not confirmed'
        : 'no longer confirmed'
  const when = confirmedAt === undefined ? '' : `, last read ${confirmedAt}`
  const against = others && `, not so in ${others}`
  return confirmedBy === undefined ? '' : by + when + against
}

/** Returns the line that says how many more there are than an answer shows, and how to narrow the question; none for 0. */
export const omittedLines = (omitted: number, noun: string, advice: string): string[] =>
  omitted === 0 ? [] : [`${plural(omitted, `more ${noun} is`, `more ${noun}s are`)} left out: ${advice}.`]
