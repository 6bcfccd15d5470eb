import type { Hold } from './hold.ts'

export const unusualAtProvider = {
  code: 'unusual_at_provider',
  rank: 240,
  level: 'set',
  ends: { by: 'time', days: 1 },
  name: 'unusual at its provider',
  meaning:
    'The provider itself shows a price that a list would be wrong about: it differs by a power of ten, is far from other sellers, or is out of order beside the other prices.',
} as const satisfies Hold
