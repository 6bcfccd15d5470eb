import type { Hold } from '../hold.ts'

/** Writing to a cache costs up to twice the input price for the longest time to live. */
const MOST_OF_INPUT = 2

export const cacheWriteFarAboveInput = {
  code: 'cache_write_far_above_input',
  rank: 170,
  level: 'resource',
  breaks: ({ dimension, price }, { input }) =>
    dimension === 'cache_write_tokens' && input !== undefined && price > MOST_OF_INPUT * input.price,
  ends: { by: 'time', days: 1 },
  name: 'cache write far above input',
  meaning: 'Writing to the cache costs more than twice the input price.',
} as const satisfies Hold
