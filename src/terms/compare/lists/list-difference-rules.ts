import { diffArrays } from 'diff'

/** A run of values that both lists have, that only the later one has, or that only the earlier one has. */
export type Part<T> = { value: T[]; added?: boolean; removed?: boolean }
/** The parts of two lists and how many edits it took to find them; no parts when it takes more than it may. */
type ListDifference<T> = { parts?: Part<T>[]; edits: number }

/**
 * Compares two lists by the keys of their values. Values whose key the other list does not have are set aside first:
 * two lists that have nothing in common cost no search.
 */
export function listDifference<T>(
  before: T[],
  after: T[],
  keyOf: (value: T) => string,
  maxEdits: number,
): ListDifference<T> {
  const numbers = new Map<string, number>()
  const numbered = (values: T[]) =>
    values.map((value) => {
      const key = keyOf(value)
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      return number
    })
  const [a, b] = [numbered(before), numbered(after)]
  const [inA, inB] = [new Set(a), new Set(b)]
  const [shared, sharedAfter] = [indicesOf(a, inB), indicesOf(b, inA)]
  const found = diffArrays(
    shared.map((i) => a[i]!),
    sharedAfter.map((i) => b[i]!),
    { maxEditLength: maxEdits },
  )
  if (!found) return { edits: maxEdits }
  const matches: [number, number][] = []
  let [i, j, edits] = [0, 0, 0]
  for (const { added, removed, count } of found) {
    if (added || removed) edits += count
    else for (let k = 0; k < count; k++) matches.push([shared[i + k]!, sharedAfter[j + k]!])
    if (!added) i += count
    if (!removed) j += count
  }
  return { parts: partsBetween(before, after, matches), edits }
}

function indicesOf(numbers: number[], kept: Set<number>): number[] {
  const indices: number[] = []
  for (const [i, number] of numbers.entries()) if (kept.has(number)) indices.push(i)
  return indices
}

/** The parts of two lists whose values match in pairs, in order. */
function partsBetween<T>(before: T[], after: T[], matches: [number, number][]): Part<T>[] {
  const parts: Part<T>[] = []
  let [i, j] = [0, 0]
  for (const [x, y] of [...matches, [before.length, after.length] as const]) {
    if (x > i) parts.push({ value: before.slice(i, x), removed: true })
    if (y > j) parts.push({ value: after.slice(j, y), added: true })
    const last = parts.at(-1)
    if (x === before.length) break
    if (last && !last.added && !last.removed) last.value.push(before[x]!)
    else parts.push({ value: [before[x]!] })
    ;[i, j] = [x + 1, y + 1]
  }
  return parts
}
