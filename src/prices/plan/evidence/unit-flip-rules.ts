/** How near a ratio must be to a power of ten to count as a flipped unit. */
const FLIP_TOLERANCE = 0.02

/** Whether two prices differ by a power of ten, as when a unit was misread. Zero differs from no price like that. */
export function isUnitFlip(before: number, after: number): boolean {
  const ratio = after / before
  const power = 10 ** Math.round(Math.log10(ratio))
  return power !== 1 && Math.abs(ratio / power - 1) <= FLIP_TOLERANCE
}
