/** The first part of a soak fills caches and pools: what grows after it is a leak. */
const WARM_UP_MINUTES = 15

export type Trend = { start: number; 'after 15 min': number; end: number; 'per hour': number }

/** Returns of each series where it began and ended, and its slope per hour after the first quarter of an hour. */
export function trendsOf(samples: Record<string, number>[]): Record<string, Trend> {
  const names = Object.keys(samples.at(-1) ?? {}).filter((name) => name !== 'minute')
  return Object.fromEntries(
    names.map((name) => {
      const points = samples.map((sample) => [sample.minute!, sample[name] ?? 0] as const)
      const warm = points.filter(([minute]) => minute >= WARM_UP_MINUTES)
      const trend = {
        start: points[0]![1],
        'after 15 min': warm[0]?.[1] ?? Number.NaN,
        end: points.at(-1)![1],
        'per hour': slopeOf(warm) * 60,
      }
      return [name, rounded(trend)]
    }),
  )
}

/** The slope of the line with the least squares. */
function slopeOf(points: (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x0, y0] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0)
  return over / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0)
}

const rounded = (trend: Trend): Trend =>
  Object.fromEntries(Object.entries(trend).map(([name, value]) => [name, Math.round(value * 10) / 10])) as Trend
