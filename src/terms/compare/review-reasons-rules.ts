import { franc } from 'franc-min'
import type { ReadText } from '../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import { OVERLAP_HELD_BELOW, SIZE_HELD_ABOVE, SIZE_HELD_BELOW } from '../schema.ts'
import { forAnotherRegion } from './region-rules.ts'

/** A shorter text says too little of its language. */
const LANGUAGE_CHARACTERS = 300
const LANGUAGE_SAMPLE = 4_000

function inAnotherLanguage(before: ReadText, after: ReadText): boolean {
  const [a, b] = [languageOf(before), languageOf(after)]
  return a !== undefined && b !== undefined && a !== b
}

function languageOf({ blocks }: ReadText): string | undefined {
  let text = ''
  for (const block of blocks) if (text.length < LANGUAGE_SAMPLE) text += `${block.text.slice(0, LANGUAGE_SAMPLE)} `
  const language = franc(text, { minLength: LANGUAGE_CHARACTERS })
  return language === 'und' ? undefined : language
}

const SHINGLE = 3
function shingles(words: string[]): Set<string> {
  const set = new Set<string>()
  for (let i = 0; i + SHINGLE <= words.length; i++) set.add(words.slice(i, i + SHINGLE).join(' '))
  return set
}

/** Share of the earlier text's three-word runs that the later one has too. */
function overlap(before: string[], after: string[]): number {
  const [a, b] = [shingles(before), shingles(after)]
  if (a.size === 0 || b.size === 0) return joined(before) === joined(after) ? 1 : 0
  let kept = 0
  for (const run of a) if (b.has(run)) kept++
  return kept / Math.min(a.size, b.size)
}

/** Why a changed text needs a person: it is held until a person decides, or until it has stayed for long. */
export function reviewReasons(before: ReadText, after: ReadText): string[] {
  const [a, b] = [wordsOf(before.plain), wordsOf(after.plain)]
  const reasons: string[] = []
  if (b.length < a.length * SIZE_HELD_BELOW) reasons.push('less than half the size')
  if (b.length > a.length * SIZE_HELD_ABOVE) reasons.push('more than twice the size')
  if (inAnotherLanguage(before, after)) reasons.push('another language')
  else if (forAnotherRegion(before, after)) reasons.push('another region')
  else if (overlap(a, b) < OVERLAP_HELD_BELOW) reasons.push('another text')
  return reasons
}
