import type { Hold } from '../hold.ts'

export const largeChange = {
  code: 'large_change',
  rank: 80,
  level: 'line',
  when: ({ change }) => change.step === 'large' && !change.isExplained,
  ends: { by: 'time', days: 1 },
  name: 'large change',
  meaning: 'The price changes by more than 3 times.',
} as const satisfies Hold
