import type { Hold } from '../hold.ts'

export const tierBelowBase = {
  code: 'tier_below_base',
  rank: 210,
  level: 'resource',
  breaks: ({ price }, { short }) => short !== undefined && price < short.price,
  ends: { by: 'time', days: 1 },
  name: 'long context below short',
  meaning: 'The price of a long context is lower than the price of a short one.',
} as const satisfies Hold
