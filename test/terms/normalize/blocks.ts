import type { Change } from '../../../src/terms/compare/changes-rules.ts'
import type { Block, ReadText } from '../../../src/terms/normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../../../src/terms/normalize/words-rules.ts'

/** A paragraph as it is compared: for tests of what is done with paragraphs, without a document around them. */
export function block(text: string, more: Partial<Block> = {}): Block {
  const words = wordsOf(text.toLowerCase())
  return { text, heading: false, section: '', words, key: joined(words), ...more }
}
export const heading = (text: string): Block => ({ ...block(text), text: `## ${text}`, heading: true, section: text })
export const item = (text: string): Block => block(text, { item: true })
export const row = (name: string, more: Partial<Block> = {}): Block => block(name, { row: name, ...more })
/** This many words in a paragraph of its own. */
export const words = (count: number, word = 'word'): Block => block(Array(count).fill(word).join(' '))

const count = (blocks: Block[]) => blocks.reduce((sum, one) => sum + one.words.length, 0)

/** A change of whole paragraphs. */
export const change = (before: Block[], after: Block[], at = 0): Change => ({
  before,
  after,
  at,
  wordsRemoved: count(before),
  wordsAdded: count(after),
})

export function textOf(blocks: Block[]): ReadText {
  const plain = blocks.map(({ text }) => text.toLowerCase()).join(' ')
  const normalForm = joined(blocks.flatMap((one) => one.words))
  return {
    plain,
    plainWords: wordsOf(plain).length,
    whole: plain,
    lines: [],
    blocks,
    normalForm,
    without: new Set(),
  }
}
