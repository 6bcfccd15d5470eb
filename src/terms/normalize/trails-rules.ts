import { countWords } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { joined, wordsOf } from './words-rules.ts'

/** A step on the way to a page is a name. */
const STEP_WORDS = 8

/**
 * The lines without the trail of a page on its site, where it is a numbered list above a heading: links, and below them the
 * heading itself.
 */
export function withoutTrails(lines: PlainLine[]): PlainLine[] {
  const trails = new Set<number>()
  for (const [i, line] of lines.entries()) {
    if (!line.heading) continue
    const start = startOfTrail(lines, i)
    for (let k = start; k < i; k++) trails.add(k)
  }
  return trails.size === 0 ? lines : lines.filter((_, i) => !trails.has(i))
}

/** Where the trail above a heading begins; at the heading, where there is none. */
function startOfTrail(lines: PlainLine[], heading: number): number {
  const last = lines[heading - 1]
  if (!last || !isStep(last) || last.link || keyOf(last) !== keyOf(lines[heading]!)) return heading
  let start = heading - 1
  while (start > 0 && lines[start]!.number !== '1' && isStep(lines[start - 1]!) && lines[start - 1]!.link) start--
  return start < heading - 1 && lines[start]!.number === '1' ? start : heading
}

const isStep = ({ plain, item, heading, row }: PlainLine): boolean =>
  item && !heading && row === undefined && countWords(plain) <= STEP_WORDS
const keyOf = ({ plain }: PlainLine): string => joined(wordsOf(plain.toLowerCase()))
