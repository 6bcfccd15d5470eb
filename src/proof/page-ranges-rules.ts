import type { Range } from './tree-rules.ts'

/**
 * Returns the largest subtrees that hold none of these leaves, from the left: with the leaves, their hashes lead to the
 * root. For one leaf they are those of its inclusion proof.
 * @param indexes in ascending order, each once
 */
export function rangesBeside(indexes: readonly number[], size: number): Range[] {
  const ranges: Range[] = []
  let next = 0
  const walk = (start: number, end: number): void => {
    const leaf = indexes[next]
    if (leaf === undefined || leaf >= end) {
      ranges.push({ start, end })
    } else if (end - start === 1) {
      next++
    } else {
      let half = 1
      while (half * 2 < end - start) half *= 2
      walk(start, start + half)
      walk(start + half, end)
    }
  }
  if (size > 0) walk(0, size)
  return ranges
}
