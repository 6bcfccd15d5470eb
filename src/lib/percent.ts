/** Returns how a price moved: `+20%`; undefined where there is no proportion, or none that people would see. */
export function percentOf(before: string, after: string): string | undefined {
  const change = (Number(after) / Number(before) - 1) * 100
  if (!Number.isFinite(change) || change === 0) return undefined
  const size = Math.abs(change)
  const digits = size >= 10 ? size.toFixed(0) : size >= 0.1 ? size.toFixed(1).replace(/\.0$/, '') : '<0.1'
  return `${change > 0 ? '+' : '−'}${digits}%`
}
