import { franc } from 'franc-min'
import type { Block } from '../../normalize/normal-form-rules.ts'

/** A shorter text says too little of its language. */
const LANGUAGE_CHARACTERS = 300
const LANGUAGE_SAMPLE = 4_000
/** Two texts of one language have at least this share of their different words in common. */
const SHARED_WORDS = 0.3

/** No name, which is the same in every language. */
const isPlainWord = (word: string) => /^\p{Ll}{2,}$/u.test(word)

/** Letters alone distinguish related languages badly, so their words decide too. */
export function areInTwoLanguages(before: Block[], after: Block[]): boolean {
  const [x, y] = [before, after].map((blocks) => new Set(blocks.flatMap(({ words }) => words.filter(isPlainWord))))
  let shared = 0
  for (const word of x!) if (y!.has(word)) shared++
  if (shared >= Math.min(x!.size, y!.size) * SHARED_WORDS) return false
  const [a, b] = [languageOf(before), languageOf(after)]
  return a !== undefined && b !== undefined && a !== b
}

function languageOf(blocks: Block[]): string | undefined {
  let text = ''
  for (const block of blocks) if (text.length < LANGUAGE_SAMPLE) text += `${block.text.slice(0, LANGUAGE_SAMPLE)} `
  const language = franc(text, { minLength: LANGUAGE_CHARACTERS })
  return language === 'und' ? undefined : language
}
