import { BY_FIT, BY_WITNESS, type Hold } from '../hold.ts'

export const powerOfTen = {
  code: 'power_of_ten',
  rank: 50,
  level: 'line',
  when: ({ change, evidence }) => change.step === 'tenfold' && !change.isExplained && !evidence.priceOfMost,
  ends: { by: 'evidence', ways: [BY_WITNESS, BY_FIT] },
  isMeantByProviders: true,
  name: 'power of ten',
  meaning: 'The old and the new price differ by a power of ten, which is usually a misread unit.',
} as const satisfies Hold
