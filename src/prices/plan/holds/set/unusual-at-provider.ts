import type { Hold } from '../hold.ts'

export const unusualAtProvider = {
  code: 'unusual_at_provider',
  rank: 240,
  level: 'set',
  ends: { by: 'time', days: 1 },
  name: 'unusual at its provider',
  meaning: 'The provider itself shows a price that would be an error in a list, such as another power of ten.',
} as const satisfies Hold
