import { describe, expect, it } from 'vitest'
import { changedSentences } from '../../../src/terms/compare/changed-sentences-rules.ts'
import { counted, differingWords, sameCounts } from '../../../src/terms/compare/lists/counts-rules.ts'
import { block, change } from '../normalize/blocks.ts'

const between = (before: string[], after: string[]) =>
  changedSentences(change(before.map((text) => block(text)), after.map((text) => block(text)))) // biome-ignore format: one call

describe('the changed sentences of a change', () => {
  it('are those that only one side has, in lower case', () => {
    expect(between(['You pay. We send it. Bye.'], ['You pay. We keep it. Bye.'])).toEqual({
      before: ['we send it.'],
      after: ['we keep it.'],
    })
    expect(between([], ['One. Two.'])).toEqual({ before: [], after: ['one.', 'two.'] })
    expect(between(['One. Two.'], [])).toEqual({ before: ['one.', 'two.'], after: [] })
  })

  it('are clauses where a sentence has several, and may be in other paragraphs', () => {
    expect(between(['You shall pay; not resell; obey.'], ['You shall pay; not rent; obey.'])).toEqual({
      before: ['not resell;'],
      after: ['not rent;'],
    })
    expect(between(['One. Two.'], ['Two.', 'Three.', 'One.'])).toEqual({ before: [], after: ['three.'] })
  })

  it('count how often a sentence is there, and neither capitals, stops nor the writing of a date', () => {
    expect(between(['Pay. Pay.'], ['Pay.'])).toEqual({ before: ['pay.'], after: [] })
    expect(between(['Pay.'], ['Pay. Pay.'])).toEqual({ before: [], after: ['pay.'] })
    expect(between(['PAY NOW!'], ['Pay now.'])).toEqual({ before: [], after: [] })
    expect(between(['Since May 1, 2025.'], ['Since 1 May 2025.'])).toEqual({ before: [], after: [] })
    expect(between(['Since May 1, 2025.'], ['Since May 2, 2025.']).after).toEqual(['since may 2, 2025.'])
  })
})

describe('counted words', () => {
  it('differ where one side has more of a word', () => {
    const [a, b] = [counted(['x', 'y', 'x']), counted(['y', 'x', 'z'])]
    expect([...a]).toEqual([['x', 2], ['y', 1]]) // biome-ignore format: pairs
    expect(differingWords(a, b)).toEqual(['x', 'z'])
    expect(sameCounts(a, b)).toBe(false)
    expect(sameCounts(a, counted(['x', 'x', 'y']))).toBe(true)
    expect(differingWords(counted([]), counted(['x']))).toEqual(['x'])
  })
})
