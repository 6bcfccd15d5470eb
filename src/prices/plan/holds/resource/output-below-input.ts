import type { Beside, LinePrice } from '../../evidence/beside-rules.ts'
import { BY_SOURCE, type Hold } from '../hold.ts'

/** Input and output that were swapped: output costs more than twice its input nearly everywhere. */
const SWAPPED_SHARE = 0.5

/** Returns what output costs in proportion to the input of its own tier; undefined for anything else. */
export function shareOfInput({ dimension, price, pricingTier }: LinePrice, { input }: Beside): number | undefined {
  if (dimension !== 'output_tokens' || input === undefined || pricingTier !== input.pricingTier) return undefined
  return price / input.price
}

export const isSwapped = (share: number): boolean => share < SWAPPED_SHARE

export const outputBelowInput = {
  code: 'output_below_input',
  rank: 180,
  level: 'resource',
  breaks: (line, beside) => isSwapped(shareOfInput(line, beside) ?? 1),
  ends: { by: 'evidence', ways: [BY_SOURCE] },
  isMeantByProviders: true,
  name: 'output below half of input',
  meaning: 'Output costs less than half of input, which is often two swapped fields.',
} as const satisfies Hold
