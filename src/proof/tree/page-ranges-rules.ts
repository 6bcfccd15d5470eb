import { type Range, split } from './tree-rules.ts'

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
      const middle = start + split(end - start)
      walk(start, middle)
      walk(middle, end)
    }
  }
  if (size > 0) walk(0, size)
  return ranges
}
