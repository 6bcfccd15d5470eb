/** How many there were, and the bytes of each table and index then. */
export type Point = { count: number; bytes: Record<string, number> }

/** Below this share of all bytes a table or an index is not shown. */
const SHOWN_SHARE = 0.01

/**
 * Bytes for each thing between every two points, in all and of each table or index: alike from left to right where growth
 * is linear. The first column holds what is there from the start besides: empty pages, and room that updates left.
 */
export function bytesEach(points: Point[]): Record<string, Record<string, number>> {
  const last = points.at(-1)!
  const names = Object.keys(last.bytes).filter((name) => last.bytes[name]! > SHOWN_SHARE * sum(last.bytes))
  const rows = names.map((name) => [name, between(points, ({ bytes }) => bytes[name] ?? 0)] as const)
  return Object.fromEntries([['all', between(points, ({ bytes }) => sum(bytes))], ...rows])
}

function between(points: Point[], of: (point: Point) => number): Record<string, number> {
  return Object.fromEntries(
    points.slice(1).map((to, at) => {
      const from = points[at]!
      return [`${from.count} to ${to.count}`, Math.round((of(to) - of(from)) / (to.count - from.count))]
    }),
  )
}

const sum = (bytes: Record<string, number>): number => Object.values(bytes).reduce((a, b) => a + b, 0)
