import type { Hold } from '../hold.ts'

export const unitChanged = {
  code: 'unit_changed',
  rank: 100,
  level: 'line',
  when: ({ contested }) => contested === 'unit',
  ends: { by: 'person' },
  name: 'another unit',
  meaning: 'The source lists the price per another unit than the published price.',
} as const satisfies Hold
