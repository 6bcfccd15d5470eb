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
    const index = indexFrom(start)
    if (index.length < INDEX_LINES) continue
    const end = index.at(-1)! + 1
    if (isIndex(index)) for (let i = start; i < end; i++) dropped.add(i)
    // What is no index as a whole is not looked at line by line, which would take the square of its length.
    start = end - 1
  }
  return dropped.size === 0 ? lines : lines.filter((_, i) => !dropped.has(i))

  /** Where the part begins that a line names; its own place when it names none. */
  function partOf(i: number): number {
    return last.get(keys[i]!) ?? i
  }

  /** The lines from one on that name parts, each behind the one before; a title between two may name none. */
  function indexFrom(start: number): number[] {
    const index: number[] = []
    for (let i = start; i < lines.length && !lines[i]!.heading; i++) {
      if (partOf(i) > (index.length === 0 ? i : partOf(index.at(-1)!))) index.push(i)
      else if (index.length === 0 || index.at(-1) !== i - 1 || isSentence(lines[i]!.plain)) break
    }
    return index
  }

  function isIndex(index: number[]): boolean {
    if (partOf(index[0]!) <= index.at(-1)!) return false
    const withText = index.filter((i, k) => k + 1 === index.length || partOf(index[k + 1]!) > partOf(i) + 1)
    return withText.length >= index.length * PARTS_WITH_TEXT
  }
}

const isTitle = ({ plain, row }: PlainLine): boolean =>
  row === undefined && countWords(plain) <= LABEL_WORDS && !isSentence(plain)
