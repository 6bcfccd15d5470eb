import { BY_FIT, type Hold } from '../hold.ts'

export const toZero = {
  code: 'to_zero',
  rank: 30,
  level: 'line',
  when: ({ change }) => change.step === 'to_zero' && !change.isExplained,
  ends: { by: 'evidence', ways: [BY_FIT] },
  name: 'free now',
  meaning: 'The price becomes zero, which is usually a missing price.',
} as const satisfies Hold
