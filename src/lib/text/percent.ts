import { wholeNumbers } from '../decimal.ts'
import { groupedDigits } from './price-text.ts'

/**
 * Returns how a price moved: `+20%`; undefined where there is no proportion, or the price is the same. It is computed
 * from the decimals exactly: a float makes 0.0999… of a tenth of a per cent.
 */
export function percentOf(before: string, after: string): string | undefined {
  const [from, to] = wholeNumbers(before, after)
  if (from === 0n || from === to) return undefined
  if (to > from) return `+${sizeText(to - from, from)}%`
  // A price that is left is not shown as gone: nearly all is rounded down.
  const isNearlyAll = to > 0n && 100n * to < from
  return `−${isNearlyAll ? Number((100_000n * (from - to)) / from) / 1_000 : sizeText(from - to, from)}%`
}

function sizeText(size: bigint, from: bigint): string {
  // Half is rounded up.
  const partsOf = (whole: bigint) => (2n * size * whole + from) / (2n * from)
  if (10n * size >= from) return groupedDigits(String(partsOf(100n)))
  return 1_000n * size < from ? '<0.1' : String(Number(partsOf(1_000n)) / 10)
}
