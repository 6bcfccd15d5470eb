import { countWords, isSentence } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { shownAddress } from './shown-address-rules.ts'
import { wordsOf } from './words-rules.ts'

/** What a line says that introduces a list of links which belongs to the document. */
const LIST_WORDS =
  /\b(?:sub-?processors?|following|listed below|set out below|third[- ]part(?:y|ies)|vendors?|suppliers?|service providers|affiliates|agreements?|addend(?:um|ums|a)|annex(?:es)?|schedules?|exhibits?|appendi(?:x|ces)|incorporated|supplemental|(?:additional|specific|service) terms|auftragsverarbeiter|unterauftrag\p{L}*|folgenden?|sous-traitants?|suivante?s?|subencargad\p{L}+|encargad\p{L}+|siguientes?|responsabili|seguenti|anlagen?|anhänge?|zusatzbedingungen|anexos?|allegat[oi]|annexes|conditions particulières)\b|別紙|附件/iu
/** A label that ends in a colon is short on a menu: `Follow us:`. */
const INTRODUCTION_WORDS = 4

/** Returns whether the line before a list of links says that the list is part of the document. */
function introduces(line: PlainLine | undefined): boolean {
  if (!line || line.targets.length > 0) return false
  if (line.heading || isSentence(line.plain) || countWords(line.plain) < INTRODUCTION_WORDS)
    return LIST_WORDS.test(line.plain)
  return line.plain.endsWith(':') || LIST_WORDS.test(line.plain)
}

/** This many links that begin with the same words name documents of one kind. */
const ONE_KIND = { links: 3, words: 3 }

/** Whether the names of links begin alike, as those of annexes do: `Terms of use – shops`. Those of a menu differ. */
function areOfOneKind(names: string[]): boolean {
  const beginnings = names.map((name) => wordsOf(name).slice(0, ONE_KIND.words))
  return (
    names.length >= ONE_KIND.links &&
    beginnings[0]!.length === ONE_KIND.words &&
    new Set(beginnings.map((words) => words.join(' ').toLowerCase())).size === 1
  )
}

/**
 * The lines, with each link of a list that belongs to the document in a line of its own: a line before them says so, or they
 * name documents of one kind. Headings and links to parts of a page are not such a list.
 */
export function expandLinkLists(lines: PlainLine[]): PlainLine[] {
  const isLink = (line: PlainLine | undefined): line is PlainLine =>
    line !== undefined &&
    line.targets.length > 0 &&
    !line.heading &&
    !line.targets.some((target) => target.includes('#'))
  const expanded: PlainLine[] = []
  for (let start = 0; start < lines.length; ) {
    let end = start
    while (isLink(lines[end])) end++
    const list = lines.slice(start, end)
    const isContent = introduces(lines[start - 1]) || areOfOneKind(list.flatMap((line) => line.names))
    for (const line of list) expanded.push(...(isContent ? linkLines(line) : [line]))
    if (end < lines.length) expanded.push(lines[end]!)
    start = end + 1
  }
  return expanded
}

/** Each link of a list that belongs to the document as a line of its own: a name, and where it leads. */
const linkLines = (line: PlainLine): PlainLine[] =>
  line.targets.map((target, i) => ({
    ...line,
    plain: line.names[i]!,
    item: true,
    link: false,
    targets: [],
    names: [],
    row: line.names[i]!,
    leadsTo: leadsTo(target),
  }))

/** Where a link leads, without what tracks its readers; undefined within its page, or when it is not an address. */
function leadsTo(target: string): string | undefined {
  if (/^(?:#|mailto:|tel:|javascript:)/i.test(target)) return undefined
  return shownAddress(target)
}
