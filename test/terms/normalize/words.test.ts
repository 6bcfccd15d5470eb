import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../../src/terms/normalize/sentences-rules.ts'
import { isSameAddress, shownAddress } from '../../../src/terms/normalize/shown-address-rules.ts'
import { joined, wordsOf } from '../../../src/terms/normalize/words-rules.ts'

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
})

describe('the sentences of a line', () => {
  it('end at a stop before a capital or a number', () => {
    expect(sentencesOf('We pay. You go! Who? 5 do.')).toEqual(['We pay.', 'You go!', 'Who?', '5 do.'])
    expect(sentencesOf('(We pay.) “You go.” We stay')).toEqual(['(We pay.)', '“You go.”', 'We stay'])
    expect(sentencesOf('e.g. this one')).toEqual(['e.g. this one'])
    expect(sentencesOf('我们付费。你们走。')).toEqual(['我们付费。', '你们走。'])
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

  it.each([
    ['https://www.example.com/legal/terms/', true],
    ['/en/legal/terms?x=1', true],
    ['terms', true],
    ['/legal', false],
    ['https://other.example/legal/terms', false],
    ['https://', false],
  ])('is that of the page itself, or another: %s', (address, isSame) => {
    expect(isSameAddress(address, 'https://example.com/legal/terms')).toBe(isSame)
  })
})
