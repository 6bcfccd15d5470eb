import type { Hold } from '../hold.ts'

export const currencyChanged = {
  code: 'currency_changed',
  rank: 90,
  level: 'line',
  when: ({ contested }) => contested === 'currency',
  ends: { by: 'person' },
  name: 'another currency',
  meaning: 'The source lists the price in another currency than the published price.',
} as const satisfies Hold
