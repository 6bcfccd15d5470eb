import { isWitnessed } from '../../evidence/witness-rules.ts'
import { BY_FIT, type DoubtfulLine, type Hold } from '../hold.ts'

/** One other seller is enough to doubt a very large change, unless a witness agrees. */
const isAlone = ({ change, evidence }: DoubtfulLine): boolean =>
  change.step === 'very_large' &&
  !change.isExplained &&
  change.misfit === undefined &&
  evidence.farFromSellers === true &&
  !isWitnessed(evidence)

export const unlikeOtherSellers = {
  code: 'unlike_other_sellers',
  rank: 120,
  level: 'line',
  when: (line) => (line.change.misfit === 'sellers' && Number(line.evidence.after) !== 0) || isAlone(line),
  ends: { by: 'evidence', ways: [BY_FIT] },
  isMeantByProviders: true,
  name: 'unlike other sellers',
  meaning: 'The price is more than 8 times away from what every other seller of the same model charges.',
} as const satisfies Hold
