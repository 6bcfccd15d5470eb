import { isUnitFlip } from '../../evidence/unit-flip-rules.ts'
import { isCorrection } from '../change-rules.ts'
import { BY_FIT, type Hold } from '../hold.ts'

/** A provider of which this many prices, and this share of its changed ones, flip a unit was misread. */
const LEAST_FLIPS = 3
const FLIPPED_SHARE = 0.3

export const providerFlippedUnit = {
  code: 'provider_flipped_unit',
  rank: 20,
  level: 'provider',
  when: ({ changed }) => {
    const flips = changed.filter(
      (one) => isUnitFlip(Number(one.before), Number(one.after)) && !isCorrection(one),
    ).length
    return flips >= LEAST_FLIPS && flips > changed.length * FLIPPED_SHARE
  },
  // Other sellers charge nearly the same for every line of the set.
  unless: (ofSet) => ofSet.every(({ fitAfter }) => fitAfter === 'fits'),
  ends: { by: 'evidence', ways: [BY_FIT] },
  name: 'provider off by a power of ten',
  meaning: 'Many prices of the provider differ by a power of ten in one snapshot.',
} as const satisfies Hold
