import type { PlainLine } from './plain-text-rules.ts'
import { wordsOf } from './words-rules.ts'

/** So many lines of links at an edge are a menu, or other pages of the site. */
const LEAST_LINKS = 2
/** The title of a menu, a label between its links, a question whether the page helped: no sentence, no number, no address. */
const LABEL_WORDS = 8
const SAYS_MORE = /[\p{N}@]|[.;:。]$/u

const isLink = ({ targets, row, heading }: PlainLine) => targets.length > 0 && row === undefined && !heading
const isLabel = ({ plain, row }: PlainLine) =>
  row === undefined && wordsOf(plain).length <= LABEL_WORDS && !SAYS_MORE.test(plain)

/** The lines without those above and below the text that are nothing but links. A list of links that the document introduces stays. */
export function withoutEdgeLinks(lines: PlainLine[]): PlainLine[] {
  const last = lines.length - edgeOf(lines.toReversed())
  const first = edgeOf(lines)
  return first >= last ? lines : lines.slice(first, last)
}

/** How many lines at the beginning are links, and labels between them. */
function edgeOf(lines: PlainLine[]): number {
  let [links, length] = [0, 0]
  for (const [i, line] of lines.entries()) {
    if (isLink(line)) {
      links += line.targets.length
      length = i + 1
    } else if (!isLabel(line) || line.heading) break
  }
  return links < LEAST_LINKS ? 0 : length
}
