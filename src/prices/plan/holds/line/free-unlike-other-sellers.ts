import type { Hold } from '../hold.ts'

export const freeUnlikeOtherSellers = {
  code: 'free_unlike_other_sellers',
  rank: 130,
  level: 'line',
  when: ({ change, evidence }) => change.misfit === 'sellers' && Number(evidence.after) === 0,
  ends: { by: 'time', days: 1 },
  name: 'free, others charge',
  meaning: 'The first price is zero, though other sellers of the same model charge for it.',
} as const satisfies Hold
