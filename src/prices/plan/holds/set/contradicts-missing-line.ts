import type { Hold } from '../hold.ts'

/** Until then, the missing line may be listed again. It is removed when the new prices are published. */
export const contradictsMissingLine = {
  code: 'contradicts_missing_line',
  rank: 220,
  level: 'set',
  ends: { by: 'time', days: 3 },
  name: 'contradicts a missing price',
  meaning: 'The new prices contradict a published price that the source no longer lists.',
} as const satisfies Hold
