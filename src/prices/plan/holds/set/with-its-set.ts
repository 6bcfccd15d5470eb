import type { Hold } from '../hold.ts'

export const withItsSet = {
  code: 'with_its_set',
  rank: 250,
  level: 'set',
  ends: { by: 'time', days: 1 },
  name: 'waits for its set',
  meaning: 'The price waits for the other prices of its resource.',
} as const satisfies Hold
