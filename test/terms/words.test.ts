import { describe, expect, it } from 'vitest'
import { shownAddress } from '../../src/terms/normalize/shown-address-rules.ts'
import { unitsOf, withoutUnits, wordsId } from '../../src/terms/normalize/units-rules.ts'
import { joined, withoutWords, wordsOf } from '../../src/terms/normalize/words-rules.ts'
import { line, plainOf } from './lines.ts'

describe('the words of a text', () => {
  it.each<[text: string, words: string[]]>([
    ['We pay, in full.', ['We', 'pay', 'in', 'full']],
    ['$ 5.00, 15 % and 1,000.', ['$5.00', '15%', 'and', '1,000']],
    ['at >= 5 or <= 6', ['at', '≥', '5', 'or', '≤', '6']],
    [
      'a => 5, b =< 6, c != 7, d <> 8, e +/- 9',
      ['a', '≥', '5', 'b', '≤', '6', 'c', '≠', '7', 'd', '≠', '8', 'e', '±', '9'],
    ],
    ['< 5 > 6 = 7', ['<', '5', '>', '6', '=', '7']],
    ['a < b', ['a', 'b']],
    ['-5 and x-5', ['-', '5', 'and', 'x', '5']],
    ['€ only', ['€', 'only']],
    ['我们 pay', ['我', '们', 'pay']],
    ['...', []],
  ])('are letters and numbers with what belongs to them: %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('are joined without spaces, but between two numbers', () => {
    expect(joined(['1', '5', 'a', 'b', '2'])).toBe('1 5ab2')
    expect(joined([])).toBe('')
  })

  it('can be left out by their place', () => {
    expect(withoutWords('So 5 of 6 go', new Set([1, 3]))).toBe('So of go')
    expect(withoutWords('a >= 5', new Set([0]))).toBe(' ≥ 5')
  })
})

describe('the sentences of lines', () => {
  const units = (...texts: string[]) => unitsOf(texts.map((text) => line(text)))

  it('end at a stop before a capital or a number', () => {
    const texts = (text: string) => units(text).map((unit) => unit.text)
    expect(texts('We pay. You go! Who? 5 do.')).toEqual(['We pay.', 'You go!', 'Who?', '5 do.'])
    expect(texts('(We pay.) “You go.” We stay')).toEqual(['(We pay.)', '“You go.”', 'We stay'])
    expect(texts('e.g. this one')).toEqual(['e.g. this one'])
    expect(texts('我们付费。你们走。')).toEqual(['我们付费。', '你们走。'])
  })

  it('have the words of the sentence as their key, with dates in one writing', () => {
    const [one, other] = units('Since 3 March 2025 we pay.', 'since march 3, 2025, WE pay!')
    expect(one).toMatchObject({ key: other!.key, text: 'Since 3 March 2025 we pay.', words: 4 })
  })

  it('are named by their words, and by which of several equal ones they are', () => {
    const [first, second] = units('We pay. We pay.')
    const [again] = units('we pay')
    expect(first!.id).toBe(again!.id)
    expect(first!.id).toMatch(/^[0-9a-f]{16}$/)
    expect(second!.id).not.toBe(first!.id)
  })

  it('can be left out by their names', () => {
    const lines = [line('We pay. You go.', { item: true }), line('We pay.'), line('They stay.')]
    const [pay, go, payAgain] = unitsOf(lines).map(({ id }) => id)
    expect(withoutUnits(lines, [])).toBe(lines)
    expect(withoutUnits(lines, [go!])[0]).toEqual(line('We pay.', { item: true }))
    expect(plainOf(withoutUnits(lines, [pay!]))).toEqual(['You go.', 'We pay.', 'They stay.'])
    expect(plainOf(withoutUnits(lines, [payAgain!]))).toEqual(['We pay. You go.', 'They stay.'])
    expect(plainOf(withoutUnits(lines, [pay!, go!]))).toEqual(['We pay.', 'They stay.'])
  })

  it('can be left out but for some of their words', () => {
    const lines = [line('We had 7 guests. You go.')]
    const [guests] = unitsOf(lines)
    expect(plainOf(withoutUnits(lines, [wordsId(guests!.id, [0, 2])]))).toEqual([' had guests. You go.'])
  })
})

describe('an address that is shown', () => {
  it.each([
    ['https://www.Example.com/legal/terms?x=1#part', 'example.com/legal/terms'],
    ['//example.com/legal/', 'example.com/legal'],
    ['/legal//terms', 'legal/terms'],
    ['https://example.com', 'example.com'],
    ['https://example.com/en/legal', 'example.com/legal'],
    ['https://example.com/en-us/r/legal', 'example.com/legal'],
    ['https://example.com/redirect/legal', 'example.com/legal'],
    ['https://example.com/a/7a51ab3c9', 'example.com/a'],
    ['https://example.com/a/deadbeefdead', 'example.com/a'],
    ['https://example.com/a/1234567', 'example.com/a'],
    ['https://example.com/a/abcdefgh', 'example.com/a/abcdefgh'],
    ['https://example.com/a/123456', 'example.com/a/123456'],
    ['https://example.com/a/1abcdefg', 'example.com/a'],
    ['https://example.com/terms-2025', 'example.com/terms-2025'],
    ['https://example.com/a/7a51ab3', 'example.com/a/7a51ab3'],
    ['https://example.com/page-1234567-x', 'example.com'],
    [' https://example.com/a ', 'example.com/a'],
    ['https://Example.com/Agreements', 'example.com/Agreements'],
    ['https://example.com/xdeadbeefdead/deadbeefdeadx', 'example.com/xdeadbeefdead/deadbeefdeadx'],
    ['?x=1', ''],
  ])('is its host and path without ids and the way there: %s', (address, shown) => {
    expect(shownAddress(address)).toBe(shown)
  })
})
