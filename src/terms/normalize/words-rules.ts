/**
 * Letters and digits with what belongs to a number: its currency, its sign, its percent sign, and what it is compared
 * with, and the marks that cells of tables consist of. Other punctuation, layout and marks of emphasis are not words. Chinese and Japanese are written without spaces:
 * each of their characters counts as a word.
 */
const CHARACTER = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}'
const NUMBER = '(?:\\p{Sc}\\s?)?\\p{N}+(?:[.,:]\\p{N}+)*\\s?[%‰]?'
const WORD = new RegExp(
  [
    '[≤≥≠±✓✗○△●]',
    `[<>=](?=\\s?[\\-+]?(?:\\p{Sc}\\s?)?\\p{N})`,
    `(?<![\\p{L}\\p{N}\\p{Sc}.\\)%])[\\-+](?=\\p{Sc}?\\p{N})`,
    NUMBER,
    '\\p{Sc}',
    `[${CHARACTER}]`,
    `[[\\p{L}\\p{M}\\p{N}]--[${CHARACTER}]]+`,
  ].join('|'),
  'gv',
)
const STARTS_NUMBER = /^[\p{Sc}\p{N}]/u
const OPERATORS: [written: RegExp, sign: string][] = [
  [/>=|=>/g, '≥'],
  [/<=|=</g, '≤'],
  [/!=|<>/g, '≠'],
  [/\+\/-/g, '±'],
]

/** How many words paragraphs have together. */
export const totalWords = (blocks: readonly { words: readonly string[] }[]): number =>
  blocks.reduce((sum, { words }) => sum + words.length, 0)

export const wordsOf = (text: string): string[] => (withSigns(text).match(WORD) ?? []).map(tidied)

const withSigns = (text: string): string =>
  /[<>=!+]/.test(text) ? OPERATORS.reduce((signs, [written, sign]) => signs.replace(written, sign), text) : text

/** Returns most words unchanged; a number loses the space before its percent sign. */
const tidied = (word: string): string => (STARTS_NUMBER.test(word) ? word.replace(/\s/g, '') : word)

const isNumber = (word: string) => /\p{N}/u.test(word)

/** Words joined so that spaces do not matter, except between two numbers, where they keep `1 5` apart from `15`. */
export function joined(words: string[]): string {
  let text = ''
  let afterNumber = false
  for (const word of words) {
    const number = isNumber(word)
    text += afterNumber && number ? ` ${word}` : word
    afterNumber = number
  }
  return text
}
