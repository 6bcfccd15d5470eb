import type { Hold } from '../hold.ts'

export const leftByItsSource = {
  code: 'left_by_its_source',
  rank: 150,
  level: 'line',
  when: ({ isLeft }) => isLeft,
  ends: { by: 'person' },
  name: 'left by its source',
  meaning: 'Two other sources show the price that the source of the price in force had before: they may be late.',
} as const satisfies Hold
