import { attachmentIn, createClauseFinder, numberIn } from './clause-numbers-rules.ts'
import { hasDate } from './dates-rules.ts'
import { countWords } from './label-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'

/** Where a line is: the heading above it, and its clause. */
export type Place = { section: string; clause?: string }

const TITLE_WORDS = 12
const SENTENCE_END = /[.!?;:。：]["')\]]*$/u
/** `1.`, `2.3`, `A.`, `IV.`: what titles are numbered with. Parts of a clause are in brackets or small letters. */
const TITLE_NUMBER = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z]|[IVX]{1,5})[.)]?$/
const CAPITALS = /^[^\p{Ll}]*\p{Lu}{3}[^\p{Ll}]*$/u

const isShort = ({ plain, row, heading }: PlainLine) =>
  !heading && row === undefined && countWords(plain) <= TITLE_WORDS && !SENTENCE_END.test(plain)
const isNumberedTitle = (line: PlainLine | undefined) =>
  line !== undefined &&
  isShort(line) &&
  line.marker !== undefined &&
  TITLE_NUMBER.test(line.marker) &&
  (line.depth ?? 0) < 2

/** A heading to every reader that no heading marks: `1. Fees` alone between paragraphs, a bold line, a line in capitals. */
function isTitle(line: PlainLine, before: PlainLine | undefined, after: PlainLine | undefined): boolean {
  if (!isShort(line) || after === undefined || hasDate(line.plain)) return false
  if (isNumberedTitle(line)) return !isNumberedTitle(before) && !isNumberedTitle(after)
  if (line.item || line.link || line.marker !== undefined) return false
  return line.bold === true || (CAPITALS.test(line.plain) && countWords(line.plain) > 1)
}

/** As deep as no heading is: a title in the text ends no part of the document but another title's. */
const TITLE_LEVEL = 9
/** The parts of an attachment have numbers; another heading of this level ends it. */
const ATTACHMENT_LEVEL = 2

/** Returns the place of each line of a document. Rows before the first heading are in the section of the line above them. */
export function placesOf(lines: PlainLine[]): Place[] {
  const clauseOf = createClauseFinder()
  let [section, label] = ['', '']
  return lines.map((line, i) => {
    const { plain, heading, level, depth, marker, row, item } = line
    const title = !heading && isTitle(line, lines[i - 1], lines[i + 1])
    if (heading || title) [section, label] = [plain, '']
    else if (section === '' && row === undefined && !item && isShort(line)) label = plain
    const isAttachment = title && attachmentIn(plain) !== undefined
    const ranked = { level: isAttachment ? ATTACHMENT_LEVEL : TITLE_LEVEL, heading: true }
    const isRanked = isAttachment || (title && (marker !== undefined || numberIn(plain) !== undefined))
    const clause = clauseOf({ plain, heading, level, depth, marker, ...(isRanked && ranked) })
    return { section: section === '' && row !== undefined ? label : section, clause }
  })
}
