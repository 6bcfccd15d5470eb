import { countWords, isSentence } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { shownAddress } from './shown-address-rules.ts'
import { wordsOf } from './words-rules.ts'

/** What a line says that introduces a list of links which belongs to the document. */
export const LIST_WORDS =
  /\b(?:sub-?processors?|following|listed below|set out below|third[- ]part(?:y|ies)|vendors?|suppliers?|service providers|affiliates|agreements?|addend(?:um|ums|a)|annex(?:es)?|schedules?|exhibits?|appendi(?:x|ces)|incorporated|supplemental|(?:additional|specific|service) terms|auftragsverarbeiter|unterauftrag\p{L}*|folgenden?|sous-traitants?|suivante?s?|subencargad\p{L}+|encargad\p{L}+|siguientes?|responsabili|seguenti|anlagen?|anhänge?|zusatzbedingungen|anexos?|allegat[oi]|annexes|conditions particulières)\b|別紙|附件/iu
/** A label that ends in a colon is short on a menu: `Follow us:`. */
const INTRODUCTION_WORDS = 4

/** Returns whether the line before a list of links says that the list is part of the document. */
export function introduces(line: PlainLine | undefined): boolean {
  if (!line || line.targets.length > 0) return false
  if (line.heading || isSentence(line.plain) || countWords(line.plain) < INTRODUCTION_WORDS)
    return LIST_WORDS.test(line.plain)
  return line.plain.endsWith(':') || LIST_WORDS.test(line.plain)
}

/** So many links that begin with the same words name documents of one kind. */
const ONE_KIND = { links: 3, words: 3 }

/** Whether the names of links begin alike, as those of annexes do: `Terms of use – shops`. Those of a menu differ. */
export function areOfOneKind(names: string[]): boolean {
  const beginnings = names.map((name) => wordsOf(name).slice(0, ONE_KIND.words))
  return (
    names.length >= ONE_KIND.links &&
    beginnings[0]!.length === ONE_KIND.words &&
    new Set(beginnings.map((words) => words.join(' ').toLowerCase())).size === 1
  )
}

/** Each link of a list that belongs to the document as a line of its own: a name, and where it leads. */
export const linkLines = (line: PlainLine): PlainLine[] =>
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

/** Where a link leads, without what tracks its readers; undefined within its page, or when it is no address. */
function leadsTo(target: string): string | undefined {
  if (/^(?:#|mailto:|tel:|javascript:)/i.test(target)) return undefined
  return shownAddress(target)
}
