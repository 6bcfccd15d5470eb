import { lookUp } from '../../lib/collections.ts'
import type { Quarantine } from '../plan/batch-rules.ts'
import type { AbsenceToReview, HoldReason } from '../plan/schema.ts'

/** Every code that says why an item about prices waits. */
export type ReasonCode = HoldReason | AbsenceToReview['reason'] | Quarantine['reason']

/** A reason in words: a name of a few words, and a sentence that explains it. */
export type ReasonText = { name: string; meaning: string }

/** The words for every reason. docs/prices.md says when each of them applies. */
export const REASON_TEXTS: Record<ReasonCode, ReasonText> = {
  large_change: {
    name: 'large change',
    meaning: 'The price changes by more than 3 times.',
  },
  very_large_change: {
    name: 'very large change',
    meaning: 'The price changes by more than 10 times.',
  },
  from_zero: { name: 'no longer free', meaning: 'The price was zero and is no longer.' },
  to_zero: { name: 'free now', meaning: 'The price becomes zero, which is usually a missing price.' },
  flips_back: {
    name: 'back to a recent price',
    meaning: 'The price goes back to one that it had within the last 7 days.',
  },
  power_of_ten: {
    name: 'power of ten',
    meaning: 'The old and the new price differ by a power of ten, which is usually a misread unit.',
  },
  mass_change: {
    name: 'many prices at once',
    meaning: 'More than a fifth of the provider’s resources change price in one snapshot.',
  },
  provider_flipped_unit: {
    name: 'provider off by a power of ten',
    meaning: 'Many prices of the provider differ by a power of ten in one snapshot.',
  },
  batch_above_standard: {
    name: 'batch above standard',
    meaning: 'The batch price is higher than the standard price.',
  },
  tier_below_base: {
    name: 'long context below short',
    meaning: 'The price of a long context is lower than the price of a short one.',
  },
  cache_read_above_input: {
    name: 'cache read above input',
    meaning: 'Reading from the cache costs more than input, which is often two swapped fields.',
  },
  cache_write_far_above_input: {
    name: 'cache write far above input',
    meaning: 'Writing to the cache costs more than twice the input price.',
  },
  output_below_input: {
    name: 'output below half of input',
    meaning: 'Output costs less than half of input, which is often two swapped fields.',
  },
  output_slightly_below_input: { name: 'output below input', meaning: 'Output costs less than input.' },
  contradicts_missing_line: {
    name: 'contradicts a missing price',
    meaning: 'The new prices contradict a published price that the source no longer lists.',
  },
  left_by_its_source: {
    name: 'left by its source',
    meaning:
      'Two other sources contradict the price in force. They show the price that its source had before: they may be late.',
  },
  tenfold_with_others: {
    name: 'tenfold with other sellers',
    meaning:
      'The old and the new price differ by a power of ten, and most sellers of the model list the new one now. It stands for 14 days.',
  },
  unusual_first_price: {
    name: 'unusual first prices',
    meaning: 'The first prices of the resource contradict each other.',
  },
  unusual_at_provider: {
    name: 'unusual at its provider',
    meaning:
      'The provider itself shows a price that a list would be wrong about: it differs by a power of ten, is far from other sellers, or is out of order beside the other prices.',
  },
  free_unlike_other_sellers: {
    name: 'free, others charge',
    meaning: 'The first price is zero, though other sellers of the same model charge for it.',
  },
  unlike_other_sellers: {
    name: 'unlike other sellers',
    meaning: 'The price is more than 8 times away from what every other seller of the same model charges.',
  },
  implausible_price: {
    name: 'implausible',
    meaning: 'The price is outside the limits of what it prices, or out of proportion to the input price.',
  },
  currency_changed: {
    name: 'another currency',
    meaning: 'The source lists the price in another currency than the published price.',
  },
  unit_changed: {
    name: 'another unit',
    meaning: 'The source lists the price per another unit than the published price.',
  },
  with_its_set: {
    name: 'waits for its set',
    meaning: 'Nothing is wrong with this price. It waits for the other prices of its resource.',
  },
  possible_rename: {
    name: 'possible renaming',
    meaning: 'One name disappeared, and another that looks like the same resource is listed.',
  },
  mass_disappearance: {
    name: 'many missing at once',
    meaning: 'Many resources of the provider are missing from the source at once.',
  },
  whole_provider_missing: {
    name: 'whole provider missing',
    meaning: 'Every resource of the provider is missing from the source.',
  },
  missing_everywhere: {
    name: 'missing at several providers',
    meaning: 'The same resource is missing at three or more providers at once, which is usually a fault of the source.',
  },
  lines_missing_everywhere: {
    name: 'same prices missing',
    meaning: 'Many resources of the provider lost prices at once, which is usually a fault of the source.',
  },
  unreadable_price: {
    name: 'unreadable',
    meaning: 'The source lists something in place of a price that cannot be read as one.',
  },
  no_prices: { name: 'no prices', meaning: 'The snapshot has no usable price.' },
  collapsed: { name: 'less than half', meaning: 'The snapshot has less than half of the prices of the last good one.' },
  unit_flipped: {
    name: 'unit changed',
    meaning: 'More than 30 % of the prices in the snapshot differ from the published ones by a power of ten.',
  },
  served_again: {
    name: 'old list served again',
    meaning: 'The source serves a price list again that it served before.',
  },
}

/** Returns a reason in words. The reasons of documents are words already. */
export const reasonText = (code: string): ReasonText =>
  lookUp(REASON_TEXTS, code) ?? { name: code, meaning: sentence(code) }

/** Returns reasons as a short list: `power of ten, implausible`. */
export const reasonNames = (codes: string[]): string => codes.map((code) => reasonText(code).name).join(', ')

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
