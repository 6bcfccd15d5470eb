import { isMassChange } from '../../difference/batch-rules.ts'
import type { Hold } from '../hold.ts'

export const massChange = {
  code: 'mass_change',
  rank: 10,
  level: 'provider',
  when: ({ resources, listed }) => isMassChange(resources, listed),
  ends: { by: 'time', days: 1 },
  name: 'many prices at once',
  meaning: 'More than a fifth of the provider’s resources, and at least 5, change price in one snapshot.',
} as const satisfies Hold
