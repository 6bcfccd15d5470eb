export type Point = { count: number; bytes: number }

/** Bytes for each thing between two points, and between the first one and nothing: alike where growth is linear. */
export function bytesEach([none, half, whole]: [Point, Point, Point]) {
  const between = (from: Point, to: Point) => Math.round((to.bytes - from.bytes) / (to.count - from.count))
  return {
    first: between(none, half),
    second: between(half, whole),
    all: between(none, whole),
    points: `${half.count}, ${whole.count}`,
  }
}
