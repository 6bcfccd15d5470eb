import type { Hold } from './hold.ts'

export const leftByItsSource = {
  code: 'left_by_its_source',
  rank: 150,
  level: 'line',
  when: ({ isLeft }) => isLeft,
  ends: { by: 'person' },
  name: 'left by its source',
  meaning:
    'Two other sources contradict the price in force. They show the price that its source had before: they may be late.',
} as const satisfies Hold
