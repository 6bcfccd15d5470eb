import { BY_SOURCE, type Hold } from '../hold.ts'

export const cacheReadAboveInput = {
  code: 'cache_read_above_input',
  rank: 160,
  level: 'resource',
  breaks: ({ dimension, price }, { input }) =>
    dimension === 'cache_read_tokens' && input !== undefined && price > input.price,
  ends: { by: 'evidence', ways: [BY_SOURCE] },
  isMeantByProviders: true,
  name: 'cache read above input',
  meaning: 'Reading from the cache costs more than input, which is often two swapped fields.',
} as const satisfies Hold
