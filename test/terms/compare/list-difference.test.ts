import { diffArrays } from 'diff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listDifference } from '../../../src/terms/compare/lists/list-difference-rules.ts'

const keyOf = (value: string) => value
const list = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 14 })
const sizeOf = (parts: { value: string[]; added?: boolean; removed?: boolean }[]) =>
  parts.reduce((sum, part) => sum + (part.added || part.removed ? part.value.length : 0), 0)

describe('the difference of two lists', () => {
  it('has both lists in it, and is no longer than the shortest one', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const parts = listDifference(before, after, keyOf, 100).parts!
        expect(parts.filter((part) => !part.added).flatMap((part) => part.value)).toEqual(before)
        expect(parts.filter((part) => !part.removed).flatMap((part) => part.value)).toEqual(after)
        expect(sizeOf(parts)).toBe(sizeOf(diffArrays(before, after)))
      }),
    )
  })

  it('takes no search where nothing is in both', () => {
    const [before, after] = [
      Array.from({ length: 50_000 }, (_, i) => `a${i}`),
      Array.from({ length: 50_000 }, (_, i) => `b${i}`),
    ]
    expect(listDifference(before, after, keyOf, 10)).toEqual({
      parts: [
        { value: before, removed: true },
        { value: after, added: true },
      ],
      edits: 0,
    })
  })

  it('has no parts when it would take too long', () => {
    expect(listDifference(['a', 'b', 'c'], ['c', 'b', 'a'], keyOf, 1)).toEqual({ edits: 1 })
  })
})
