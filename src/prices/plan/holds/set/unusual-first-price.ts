import type { Hold } from '../hold.ts'

/** First prices cannot have been swapped: some products really cost less to write than to read. */
export const unusualFirstPrice = {
  code: 'unusual_first_price',
  rank: 230,
  level: 'set',
  ends: { by: 'time', days: 1 },
  name: 'unusual first prices',
  meaning: 'The first prices of the resource contradict each other.',
} as const satisfies Hold
