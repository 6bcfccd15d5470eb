import type { Hold } from '../hold.ts'

export const fromZero = {
  code: 'from_zero',
  rank: 40,
  level: 'line',
  when: ({ change }) => change.step === 'from_zero' && !change.isExplained,
  ends: { by: 'time', days: 1 },
  name: 'no longer free',
  meaning: 'The price was zero and is no longer.',
} as const satisfies Hold
