import { sha256 } from '../../lib/hash.ts'
import { withCanonicalDates } from './dates-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { joined, withoutWords, wordsOf } from './words-rules.ts'

/** A sentence of a document, or a line that is none: what is compared to find the parts that differ at every fetch. */
export type Unit = {
  /** Names the unit within its text: its words, and which of several equal units it is. */
  id: string
  key: string
  text: string
  words: number
}

const SENTENCE_END = /(?<=[.!?]["”')\]]?)\s+(?=["“(]?[\p{Lu}\p{N}])|(?<=[。！？])/u

/** The sentences of a line, or the line as it is. */
export const sentencesOf = (line: string): string[] => line.split(SENTENCE_END).filter((sentence) => sentence !== '')

/** The units of a document's lines, in order. */
export function unitsOf(lines: PlainLine[]): Unit[] {
  const seen = new Map<string, number>()
  return lines.flatMap((line) => sentencesOf(line.plain).map((text) => unitOf(text, seen)))
}

function unitOf(text: string, seen: Map<string, number>): Unit {
  const words = wordsOf(withCanonicalDates(text.toLowerCase()))
  const key = joined(words)
  const number = (seen.get(key) ?? 0) + 1
  seen.set(key, number)
  return { id: sha256(`${number} ${key}`).slice(0, 16), key, text, words: words.length }
}

const WORDS_MARK = '#'

/** Names some of a unit's words, to leave out these alone. */
export const wordsId = (id: string, indices: number[]): string => `${id}${WORDS_MARK}${indices.join(',')}`

/** The lines without the units, or the words of units, of these ids; a line of which nothing is left goes. */
export function withoutUnits(lines: PlainLine[], ids: string[]): PlainLine[] {
  if (ids.length === 0) return lines
  const leftOut = new Map(
    ids.map((id) => {
      const [unit, words] = id.split(WORDS_MARK)
      return [unit!, words === undefined ? undefined : new Set(words.split(',').map(Number))]
    }),
  )
  const seen = new Map<string, number>()
  return lines.flatMap((line) => {
    const units = sentencesOf(line.plain).map((text) => unitOf(text, seen))
    if (!units.some(({ id }) => leftOut.has(id))) return [line]
    const kept = units.flatMap(({ id, text }) => {
      const words = leftOut.get(id)
      return words ? [withoutWords(text, words)] : leftOut.has(id) ? [] : [text]
    })
    return kept.length === 0 ? [] : [{ ...line, plain: kept.join(' ') }]
  })
}
