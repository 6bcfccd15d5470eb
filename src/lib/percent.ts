/**
 * Returns how a price moved: `+20%`; undefined where there is no proportion, or the price is the same. It is computed
 * from the decimals exactly: a float makes 0.0999… of a tenth of a per cent.
 */
export function percentOf(before: string, after: string): string | undefined {
  const [from, to] = wholeNumbers(before, after)
  if (from === 0n || from === to) return undefined
  const size = to > from ? to - from : from - to
  // Half is rounded up.
  const partsOf = (whole: bigint) => (2n * size * whole + from) / (2n * from)
  const isLarge = 10n * size >= from
  const isSmall = 1_000n * size < from
  const digits = isLarge ? partsOf(100n) : isSmall ? '<0.1' : Number(partsOf(1_000n)) / 10
  return `${to > from ? '+' : '−'}${digits}%`
}

/** Returns two decimals as multiples of the smallest decimal place in them. */
function wholeNumbers(...decimals: [string, string]): [bigint, bigint] {
  const parts = decimals.map((decimal) => decimal.split('.'))
  const places = Math.max(...parts.map(([, fraction = '']) => fraction.length))
  return parts.map(([whole = '', fraction = '']) => BigInt(whole + fraction.padEnd(places, '0'))) as [bigint, bigint]
}
