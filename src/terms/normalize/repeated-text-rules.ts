import type { PlainLine } from './plain-text-rules.ts'
import { joined, wordsOf } from './words-rules.ts'

/** A copy has at least so many lines and this share of the page: paragraphs that a contract repeats are no copy. */
const COPY_LINES = 4
const COPY_SHARE = 0.35
/** A paragraph of so many words that follows itself is the same one, for another size of screen. */
const TWIN_WORDS = 6

/**
 * The lines of a page that holds its text twice, for small and for large screens, without the second copy; and without
 * paragraphs that follow themselves.
 */
export function withoutRepeats(lines: PlainLine[]): PlainLine[] {
  const keys = lines.map((line) => joined(wordsOf(line.plain.toLowerCase())))
  const single = lines.filter((line, i) => keys[i] !== keys[i - 1] || wordsOf(line.plain).length < TWIN_WORDS)
  const copy = copyIn(single)
  return copy ? [...single.slice(0, copy.from), ...single.slice(copy.to)] : single
}

/** The longest run of lines that was there before, when it is a large part of the page. */
function copyIn(lines: PlainLine[]): { from: number; to: number } | undefined {
  const keys = lines.map((line) => joined(wordsOf(line.plain.toLowerCase())))
  const words = lines.map((line) => wordsOf(line.plain).length)
  const total = words.reduce((sum, count) => sum + count, 0)
  const first = new Map<string, number>()
  for (const [i, key] of keys.entries()) if (!first.has(key)) first.set(key, i)
  for (let from = 0; from < lines.length; from++) {
    const start = first.get(keys[from]!)!
    if (start === from) continue
    let [length, copied] = [0, 0]
    while (from + length < lines.length && start + length < from && keys[from + length] === keys[start + length])
      copied += words[from + length++]!
    if (length >= COPY_LINES && copied >= total * COPY_SHARE) return { from, to: from + length }
    from += Math.max(0, length - 1)
  }
  return undefined
}
