import { citedAs } from '../../lib/text/document-text.ts'

/** Where a paragraph is, as far as its anchor depends on it. */
type ParagraphPlace = { section: string; clause?: string | undefined; heading: boolean }

/** A place that an address can name; `clause` is how it is cited. */
export type Anchor = { id: string; clause?: string }

const MAX_NAME = 60

/** Returns a name for a fragment of an address: letters and digits of every script. */
const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .slice(0, MAX_NAME)
    .replace(/^[-.]+|[-.]+$/g, '')

/**
 * Returns a function that is called with the paragraphs of a document in order. It returns the anchor of the first one of
 * each clause and section, such as `clause-3.2-b`, and undefined for the others. A clause keeps its anchor in every version
 * in which it keeps its number.
 */
export function createAnchors(): (paragraph: ParagraphPlace) => Anchor | undefined {
  const clauses = new Set<string>()
  const used = new Set<string>()
  const times = new Map<string, number>()
  let before = ''

  function unique(wanted: string): string {
    let name = wanted
    for (let n = times.get(wanted) ?? 1; used.has(name); times.set(wanted, n)) name = `${wanted}-${++n}`
    used.add(name)
    return name
  }

  return ({ section, clause, heading }) => {
    const begins = heading || section !== before
    before = section
    if (clause !== undefined && !clauses.has(clause)) {
      clauses.add(clause)
      return { id: unique(`clause-${nameOf(clause)}`), clause: citedAs(clause) }
    }
    return begins && section !== '' ? { id: unique(`section-${nameOf(section)}`) } : undefined
  }
}
