import type { Hold } from '../hold.ts'

export const veryLargeChange = {
  code: 'very_large_change',
  rank: 70,
  level: 'line',
  when: ({ change }) => change.step === 'very_large' && !change.isExplained,
  ends: { by: 'time', days: 1 },
  name: 'very large change',
  meaning: 'The price changes by more than 10 times.',
} as const satisfies Hold
