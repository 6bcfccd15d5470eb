import { describe, expect, it } from 'vitest'
import { changesMeaning } from '../../../src/terms/compare/meaning-rules.ts'
import { block, change } from '../normalize/blocks.ts'

const turns = (before: string, after: string) =>
  changesMeaning(change(before === '' ? [] : [block(before)], after === '' ? [] : [block(after)]))

describe('a change turns a clause around', () => {
  it.each([
    ['a modal verb came', 'we keep it', 'we may keep it'],
    ['a modal verb took the place of another', 'you must pay', 'you should pay'],
    ['a modal verb is there once more', 'you may go and stay', 'you may go and may stay'],
    ['a negation went', 'it ends without notice', 'it ends with notice'],
    ['a negation came in German', 'wir verkaufen Daten', 'wir verkaufen keine Daten'],
    ['a negation of a verb came', 'you agree to it', 'you do not agree to it'],
    ['a short negation came', 'they do that', "they don't do that"],
    ['something is no longer so', 'we keep it', 'we no longer keep it'],
    ['a comparison is another', 'at ≥ 5 seats', 'at ≤ 5 seats'],
    ['a sign came', 'a rate of 5', 'a rate of -5'],
    ['one party is in the place of another', 'the customer pays', 'the provider pays'],
    ['one party is in the place of another, beside both', 'you and we pay you', 'you and we pay us'],
    ['a clause with a modal verb came', '', 'you may leave'],
  ])('when %s', (_what, before, after) => {
    expect(turns(before, after)).toBe(true)
    expect(turns(after, before)).toBe(true)
  })

  it.each([
    ['other words changed', 'the red house', 'the blue house'],
    ['words moved', 'you may pay, we must go', 'we must pay, you may go'],
    ['a party was added and none removed', 'the house pays', 'the customer pays'],
    ['not belongs to a number', 'no more than 5 days', 'not more than 5 days'],
    ['a clause with a party came', '', 'the customer pays'],
    ['a party is named once more', 'the customer pays', 'the customer pays for the customer'],
  ])('not when %s', (_what, before, after) => {
    expect(turns(before, after)).toBe(false)
    expect(turns(after, before)).toBe(false)
  })

  it('not when a sentence with a negation moved to another paragraph', () => {
    const [a, b] = [block('you may not go'), block('we stay')]
    expect(changesMeaning(change([a, b], [b, a]))).toBe(false)
  })

  it('not when one party in the place of another stands in clauses that were added or removed as a whole', () => {
    expect(changesMeaning(change([], [block('the provider pays'), block('the customer goes')]))).toBe(false)
  })
})
