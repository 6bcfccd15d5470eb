import { SnapshotError } from '../../collector.ts'

/** What a million input tokens cost at the model in the middle of any list, with much room: 0.5 cents to 20 dollars. */
const MIN_MIDDLE_USD = 0.005
const MAX_MIDDLE_USD = 20
/** A seller of few models may sell cheap or dear ones only. */
const MIN_MODELS = 10

/**
 * Refuses a list that changed its unit, such as from a price per million to one per thousand.
 * @throws SnapshotError when the middle one of ten and more input prices is not a price of a million tokens
 */
export function checkMagnitude(usdPerToken: number[]): void {
  const sorted = usdPerToken.filter((price) => price > 0).sort((a, b) => a - b)
  if (sorted.length < MIN_MODELS) return
  const middle = sorted[Math.floor(sorted.length / 2)]! * 1_000_000
  if (middle >= MIN_MIDDLE_USD && middle <= MAX_MIDDLE_USD) return
  throw new SnapshotError(
    `Half of its models would cost ${middle < MIN_MIDDLE_USD ? 'less' : 'more'} than $${Number(middle.toPrecision(2))} per million input tokens: the list changed its unit.`,
  )
}
