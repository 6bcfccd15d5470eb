import type { Hold } from '../hold.ts'

export const flipsBack = {
  code: 'flips_back',
  rank: 140,
  level: 'line',
  when: ({ change, evidence }) => evidence.returns === true && change.mayReturn,
  ends: { by: 'time', days: 1 },
  name: 'back to a recent price',
  meaning: 'The price goes back to one that it had within the last 7 days.',
} as const satisfies Hold
