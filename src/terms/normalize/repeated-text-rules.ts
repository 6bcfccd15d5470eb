import type { PlainLine } from './plain-text-rules.ts'
import { joined, wordsOf } from './words-rules.ts'

/** A copy has at least so many lines and this share of the page: paragraphs that a contract repeats are no copy. */
const COPY_LINES = 4
const COPY_SHARE = 0.35
/** A paragraph of so many words that follows itself is the same one, for another size of screen; a heading always is. */
const TWIN_WORDS = 6

/** A line, the words it says as one key, and how many they are. */
type Said = { line: PlainLine; key: string; words: number }

/**
 * The lines of a page that holds its text twice, for small and for large screens, without the second copy; and without
 * paragraphs that follow themselves.
 */
export function withoutRepeats(lines: PlainLine[]): PlainLine[] {
  const said = lines.map((line): Said => {
    const words = wordsOf(line.plain.toLowerCase())
    return { line, key: joined(words), words: words.length }
  })
  const single = said.filter(({ key, words, line }, i) => {
    const previous = said[i - 1]
    return key !== previous?.key || (words < TWIN_WORDS && !(line.heading && previous.line.heading))
  })
  const copy = copyIn(single)
  const kept = copy ? [...single.slice(0, copy.from), ...single.slice(copy.to)] : single
  return kept.map(({ line }) => line)
}

/** The longest run of lines that was there before, when it is a large part of the page. */
function copyIn(said: Said[]): { from: number; to: number } | undefined {
  const total = said.reduce((sum, { words }) => sum + words, 0)
  const first = new Map<string, number>()
  for (const [i, { key }] of said.entries()) if (!first.has(key)) first.set(key, i)
  for (let from = 0; from < said.length; from++) {
    const start = first.get(said[from]!.key)!
    if (start === from) continue
    let [length, copied] = [0, 0]
    while (
      from + length < said.length &&
      start + length < from &&
      said[from + length]!.key === said[start + length]!.key
    )
      copied += said[from + length++]!.words
    if (length >= COPY_LINES && copied >= total * COPY_SHARE) return { from, to: from + length }
    from += Math.max(0, length - 1)
  }
  return undefined
}
