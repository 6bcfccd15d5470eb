import type { PlainLine } from './plain-text-rules.ts'
import { wordsOf } from './words-rules.ts'

/** This many lines of links at an edge are a menu, or other pages of the site. */
const LEAST_LINKS = 2
/** The title of a menu, a label between its links, a question whether the page helped: no sentence, no number, no address. */
const LABEL_WORDS = 8
const TITLE_WORDS = 4
const SAYS_MORE = /[\p{N}@]|[.;:。]$/u

const isLink = ({ targets, row, heading }: PlainLine) => targets.length > 0 && row === undefined && !heading
const isLabel = ({ plain, row }: PlainLine) =>
  row === undefined && wordsOf(plain).length <= LABEL_WORDS && !SAYS_MORE.test(plain)

/**
 * The lines without those above and below the text that are nothing but links, and without the title of those below. A list
 * of links that the document introduces stays.
 */
export function withoutEdgeLinks(lines: PlainLine[]): PlainLine[] {
  const upwards = lines.toReversed()
  const below = edgeOf(upwards, (line) => isLabel(line) && !(line.heading && line.number !== undefined))
  const title = upwards[below]
  const last = lines.length - below - (below > 0 && title && isTitle(title) ? 1 : 0)
  const first = edgeOf(lines, (line) => isLabel(line) && !line.heading)
  return first >= last ? lines : lines.slice(first, last)
}

/** A numbered heading is one of the document, and a title that no heading marks is shorter. */
const isTitle = (line: PlainLine) =>
  isLabel(line) && line.number === undefined && (line.heading || wordsOf(line.plain).length <= TITLE_WORDS)

/** How many lines at the beginning are links, and others that may stand between them. */
function edgeOf(lines: PlainLine[], mayStandBetween: (line: PlainLine) => boolean): number {
  let [links, length] = [0, 0]
  for (const [i, line] of lines.entries()) {
    if (isLink(line)) {
      links += line.targets.length
      length = i + 1
    } else if (!mayStandBetween(line)) break
  }
  return links < LEAST_LINKS ? 0 : length
}
