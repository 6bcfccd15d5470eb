/** A segment of the write-ahead log has 16 MiB, and 256 of them one number in the middle of its name. */
const SEGMENTS = 256
const HEX = 8

/** Returns the names of the segments from one to another of the same timeline, both included. */
export function segmentsBetween(first: string, last: string): string[] {
  const timeline = first.slice(0, HEX)
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(HEX, 2 * HEX), 16) * SEGMENTS + Number.parseInt(name.slice(2 * HEX), 16)
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(HEX, '0')
  const names: string[] = []
  for (let at = numberOf(first); at <= numberOf(last); at++)
    names.push(`${timeline}${hex(Math.floor(at / SEGMENTS))}${hex(at % SEGMENTS)}`)
  return names
}
