import { franc } from 'franc-min'
import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'

/** A shorter text says too little of its language. */
const LANGUAGE_CHARACTERS = 300
const LANGUAGE_SAMPLE = 4_000
/** Two texts of one language have at least this share of their different words in common. */
const SHARED_WORDS = 0.3

/** A passage that was translated is shorter, and has hardly a word in common with its translation. */
const PASSAGE_CHARACTERS = 150
const PASSAGE_SHARED_WORDS = 0.1

/** No name, which is the same in every language. */
const isPlainWord = (word: string) => /^\p{Ll}{2,}$/u.test(word)

/** Letters alone distinguish related languages badly, so their words decide too. */
export function areInTwoLanguages(
  before: Block[],
  after: Block[],
  characters = LANGUAGE_CHARACTERS,
  sharedWords = SHARED_WORDS,
): boolean {
  const [x, y] = [before, after].map((blocks) => new Set(blocks.flatMap(({ words }) => words.filter(isPlainWord))))
  let shared = 0
  for (const word of x!) if (y!.has(word)) shared++
  if (shared >= Math.min(x!.size, y!.size) * sharedWords) return false
  const [a, b] = [languageOf(before, characters), languageOf(after, characters)]
  return a !== undefined && b !== undefined && a !== b
}

/** A translation is about as long: of a passage that became much shorter, a part went. */
const LENGTH_SHARE = 0.5

/** Returns whether a passage is in another language now: what it says cannot be compared by its words. */
export const onlyTranslated = ({ before, after }: Change): boolean =>
  areAboutAsLong(before, after) && areInTwoLanguages(before, after, PASSAGE_CHARACTERS, PASSAGE_SHARED_WORDS)

function areAboutAsLong(before: Block[], after: Block[]): boolean {
  const [a, b] = [before, after].map((blocks) => blocks.map(({ text }) => text).join(' ').length) as [number, number]
  return Math.min(a, b) >= Math.max(a, b) * LENGTH_SHARE
}

function languageOf(blocks: Block[], characters: number): string | undefined {
  let text = ''
  for (const block of blocks) if (text.length < LANGUAGE_SAMPLE) text += `${block.text.slice(0, LANGUAGE_SAMPLE)} `
  const language = franc(text, { minLength: characters })
  return language === 'und' ? undefined : language
}
