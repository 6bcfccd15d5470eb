import { countWords, isSentence, LABEL_WORDS } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { joined, wordsOf } from './words-rules.ts'

/** So many lines in a row that are titles of later parts are an index. */
const INDEX_LINES = 3
/** Of the parts that an index names, so many have text of their own: in a list that is repeated none has. */
const PARTS_WITH_TEXT = 0.8

/** The lines without an index of the document that has no links: titles in the order in which their parts follow. */
export function withoutIndex(lines: PlainLine[]): PlainLine[] {
  const keys = lines.map((line) => (isTitle(line) ? joined(wordsOf(line.plain.toLowerCase())) : ''))
  const last = new Map<string, number>()
  for (const [i, key] of keys.entries()) if (key !== '') last.set(key, i)
  const dropped = new Set<number>()
  for (let start = 0; start < lines.length; start++) {
    let end = start
    while (end < lines.length && !lines[end]!.heading && partOf(end) > (end === start ? end : partOf(end - 1))) end++
    if (isIndex(start, end)) for (let i = start; i < end; i++) dropped.add(i)
    start = Math.max(start, end - 1)
  }
  return dropped.size === 0 ? lines : lines.filter((_, i) => !dropped.has(i))

  /** Where the part begins that a line names; its own place when it names none. */
  function partOf(i: number): number {
    return keys[i] === '' ? i : last.get(keys[i]!)!
  }

  function isIndex(start: number, end: number): boolean {
    if (end - start < INDEX_LINES || partOf(start) < end) return false
    let withText = 0
    for (let i = start; i < end; i++) if (i + 1 === end || partOf(i + 1) > partOf(i) + 1) withText++
    return withText >= (end - start) * PARTS_WITH_TEXT
  }
}

const isTitle = ({ plain, row }: PlainLine): boolean =>
  row === undefined && countWords(plain) <= LABEL_WORDS && !isSentence(plain)
