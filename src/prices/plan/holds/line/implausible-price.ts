import { BY_SOURCE, type Hold } from '../hold.ts'

export const implausiblePrice = {
  code: 'implausible_price',
  rank: 110,
  level: 'line',
  when: ({ change, isOutside }) => isOutside || change.misfit === 'limits' || change.misfit === 'input',
  ends: { by: 'evidence', ways: [BY_SOURCE] },
  name: 'implausible',
  meaning: 'The price is outside the limits of what it prices, or out of proportion to the input price.',
} as const satisfies Hold
