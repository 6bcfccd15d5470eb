import type { Hold } from '../hold.ts'

/** A list that takes sellers' prices from their maker's takes back within 14 days what was too early. */
export const tenfoldWithOthers = {
  code: 'tenfold_with_others',
  rank: 60,
  level: 'line',
  when: ({ change, evidence }) => change.step === 'tenfold' && !change.isExplained && evidence.priceOfMost === true,
  ends: { by: 'time', days: 14 },
  name: 'tenfold with other sellers',
  meaning: 'The old and the new price differ by a power of ten, and most sellers of the model list the new one now.',
} as const satisfies Hold
