import { differByRounding } from './fit-rules.ts'

/** An input price that changes by more may be in another unit, together with the prices beside it. */
const MOST_INPUT_CHANGE = 3

/** A price and the input price of its resource. */
export type BesideInput = { price: number; input: number }

/**
 * Returns another resource of the provider with the share of the input price that a price has now, after both changed.
 * A misread unit changes one price alone, or all of them alike.
 */
export function sameShareAs(
  before: BesideInput,
  after: BesideInput,
  others: { resource: string; share: number }[],
): string | undefined {
  const inputChange = Math.max(before.input / after.input, after.input / before.input)
  if (!(inputChange > 1 && inputChange <= MOST_INPUT_CHANGE)) return undefined
  const share = after.price / after.input
  return others.find((other) => differByRounding(other.share, share))?.resource
}
