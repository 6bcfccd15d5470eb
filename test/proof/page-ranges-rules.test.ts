import { describe, expect, it } from 'vitest'
import { rangesBeside } from '../../src/proof/tree/page-ranges-rules.ts'
import { inclusionRanges } from '../../src/proof/tree/tree-rules.ts'

const pairs = (indexes: number[], size: number) => rangesBeside(indexes, size).map(({ start, end }) => [start, end])

describe('the subtrees beside leaves', () => {
  it('are those of the inclusion proof for one leaf', () => {
    const byStart = (a: number[], b: number[]) => a[0]! - b[0]!
    for (let size = 1; size <= 20; size++)
      for (let index = 0; index < size; index++)
        expect(pairs([index], size)).toEqual(
          inclusionRanges(index, size)
            .map(({ start, end }) => [start, end])
            .sort(byStart),
        )
  })

  it('are what is left, and none for all leaves', () => {
    expect(pairs([0, 1, 2, 3, 4], 5)).toEqual([])
    expect(pairs([], 5)).toEqual([[0, 5]])
    expect(pairs([2, 6], 7)).toEqual([[0, 2], [3, 4], [4, 6]]) // biome-ignore format: pairs read best in a line
    expect(pairs([], 0)).toEqual([])
  })
})
