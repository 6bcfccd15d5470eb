import { isAnswer, isBoilerplate, withoutHints } from './boilerplate-rules.ts'
import { hasDate, withCanonicalDates, withoutDates } from './dates-rules.ts'
import { withoutIndex } from './index-rules.ts'
import { withoutPageChrome } from './page-chrome-rules.ts'
import { isPageLine, withoutOffers } from './page-lines-rules.ts'
import { type PlainLine, plainLines } from './plain-text-rules.ts'
import { withoutQuestionMenus } from './question-menu-rules.ts'
import { withoutRelated } from './related-pages-rules.ts'
import { withoutRepeats } from './repeated-text-rules.ts'
import { withNamedEntries } from './row-names-rules.ts'
import { placesOf } from './sections-rules.ts'
import { createSpeller } from './spelling-rules.ts'
import { withoutTrails } from './trails-rules.ts'
import { withoutUnits } from './units-rules.ts'
import { joined, wordsOf } from './words-rules.ts'

/** One paragraph, list item, table row or heading of a document, as it reads and as it is compared. */
export type Block = {
  /** As it reads: Markdown without link targets and without layout. */
  text: string
  heading: boolean
  /** The heading above it; empty before the first. */
  section: string
  words: string[]
  /** The words without spaces: what decides whether two blocks say the same. */
  key: string
  /** The number of its clause, such as `3.2(b)`, where the document numbers them. */
  clause?: string
  /** The name of a row of a table or of an entry of a list of links. */
  row?: string
  /** Whether it is an entry of a list. */
  item?: true
  /** Its own number as it is written, the level of a heading, and in how many lists it is: how it is shown. */
  marker?: string
  level?: number
  depth?: number
}

/** Up to this many words, a line is a title or a label and its case says nothing. */
const LABEL_WORDS = 10
/** Within so many lines of the top, labels before the first heading belong to the page. */
const PAGE_TOP_LINES = 12
const PAGE_TOP_WORDS = 8
const DATE_LINE_CHARACTERS = 80
const DATE_LINE_WORDS = 4

const BARE_NUMBER = /^\d{1,2}\s+/

const isSentence = (text: string) => /[.!?;:。]["”')\]]*\s*$/u.test(text)

/** A list of parts that goes on applying is no index, though its entries are titles. */
const SURVIVES =
  /(?:surviv|remain (?:in (?:full )?(?:force|effect)|effective)|continue to apply|shall apply|gelten (?:fort|weiter)|fortgelt|bestehen|restent|demeurent|survivr|subsist|sobreviv|sopravviv|permanec|存続).{0,80}[:：]$/iu

/** Words of labels that state dates: whether a page says `Updated` or `Effective as of` beside a date says little. */
const DATE_LABEL =
  /^(?:last|latest|updated?|effective|dated?|as|of|from|on|since|the|is|in|revis(?:ed|ion)|modified|posted|published|version|releas(?:ed|e)|publiée?|le|du|au|mise?|à|jour|stand|vom|am|aktualisiert|zuletzt|publicad[oa]|actualizad[oa]|el|del|aggiornat[oa]|pubblicat[oa]|il|bijgewerkt|gepubliceerd|op|atualizad[oa]|em)$/

function comparable(text: string, spell: (word: string) => string): string[] {
  const words = wordsOf(withCanonicalDates(text.replace(/ & /g, ' and ')))
  if (words.length > LABEL_WORDS) return words.map(spell)
  const label = words.map((word) => word.toLowerCase())
  return (isDateLine(text) ? label.filter((word) => !DATE_LABEL.test(word)) : label).map(spell)
}

/** The time beside a date: `8:19 PM`, `13:45 GMT`. */
const TIME =
  /(?:at )?(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?: (?:gmt|utc|cet|cest|est|edt|pst|pdt))?(?!\w)/giu

/** A short line that states a date and hardly anything else: `Last updated: 4 May 2025 at 8:19 PM`. */
export const isDateLine = (text: string) =>
  text.length <= DATE_LINE_CHARACTERS &&
  hasDate(text) &&
  wordsOf(withoutDates(text).replace(TIME, ' ')).length <= DATE_LINE_WORDS

/** A document's text taken apart once, for everything that is compared with it. */
export type ReadText = {
  /** All its lines, page chrome included, in lower case: what decides whether it is a document at all. */
  plain: string
  /** How many words all its lines have. */
  plainWords: number
  /** All its lines with their numbers, and where lines of links lead. */
  whole: string
  /** Its lines without page chrome and boilerplate. */
  allLines: PlainLine[]
  /** Those of them that are compared: without the parts that differ at every fetch. */
  lines: PlainLine[]
  blocks: Block[]
  normalForm: string
}

/** @throws UnreadableDocument when its Markdown cannot be parsed in reasonable time. */
export function readText(markdown: string, leftOut: string[] = []): ReadText {
  const all = plainLines(markdown)
  const content = withoutBoilerplate(withoutPageChrome(withoutTrails(all)))
  const allLines = withNamedEntries(
    withoutIndex(withoutRepeats(withoutRelated(withoutQuestionMenus(withoutOffers(content))))),
  )
  const plain = all.map((line) => line.plain.toLowerCase()).join(' ')
  const whole = all.map(({ number = '', plain, targets }) => [number, plain, ...targets].join(' ')).join(' ')
  return leaveOut({ plain, plainWords: wordsOf(plain).length, whole, allLines }, leftOut)
}

/**
 * The lines without those that are the page's. Rows, numbered headings, the entries of a list that a line introduces, and
 * answers stay.
 */
function withoutBoilerplate(lines: PlainLine[]): PlainLine[] {
  let introduced = false
  return lines.filter((line, i) => {
    const { plain, row, item, link, heading, number } = line
    if (!item) introduced = /[:：]$/u.test(plain)
    if (row !== undefined || (item && !link && introduced) || (heading && number !== undefined)) return true
    if (isAnswer(plain, lines[i - 1]?.plain)) return true
    return !isPageLine(line) && !isBoilerplate(withoutHints(plain))
  })
}

/** The same text compared without the units of these ids. */
export function leaveOut(
  { plain, plainWords, whole, allLines }: Pick<ReadText, 'plain' | 'plainWords' | 'whole' | 'allLines'>,
  ids: string[],
): ReadText {
  const lines = withoutUnits(allLines, ids)
  const blocks = blocksOf(lines)
  return { plain, plainWords, whole, allLines, lines, blocks, normalForm: normalForm(blocks) }
}

/** The normal form of a text without its dates. */
export const normalFormWithoutDates = ({ lines }: ReadText): string =>
  normalForm(blocksOf(lines, { ignoreDates: true }))

/** The blocks of a document, without its table of contents and its repeated title. */
function blocksOf(lines: PlainLine[], options: { ignoreDates?: boolean } = {}): Block[] {
  const firstHeading = lines.findIndex((line) => line.heading)
  const titles = lines.filter((line) => line.heading).map((line) => line.plain.toLowerCase())
  // An index names `1 Fees` without its number.
  const headings = new Set(
    titles.flatMap((title) => [title, title.replace(BARE_NUMBER, '')]).map((title) => joined(wordsOf(title))),
  )
  const spell = createSpeller()
  const blocks: Block[] = []
  const places = placesOf(lines)
  let introduction = ''
  for (const [i, line] of lines.entries()) {
    const plain = withoutHints(line.plain)
    const atTop = firstHeading > i && firstHeading < PAGE_TOP_LINES
    if (atTop && !hasDate(plain) && !isSentence(plain) && wordsOf(plain).length <= PAGE_TOP_WORDS) continue
    if (options.ignoreDates && line.row === undefined && !line.item && isDateLine(plain)) continue
    const words = comparable(options.ignoreDates ? withoutDates(plain) : plain, spell)
    if (line.leadsTo) words.push(line.leadsTo)
    if (words.length === 0) continue
    const label = joined(words.map((word) => word.toLowerCase()))
    const isLabel = line.item || line.link || (words.length <= LABEL_WORDS && !isSentence(plain))
    if (!line.item) introduction = plain
    if (!line.heading && isLabel && headings.has(label) && !(line.item && SURVIVES.test(introduction))) continue
    const text = line.heading ? `## ${plain}` : line.leadsTo ? `${plain} (${line.leadsTo})` : plain
    const { heading, row, marker, level, depth } = line
    const item = line.item ? true : undefined
    blocks.push({ text, heading, ...places[i]!, words, key: joined(words), row, item, marker, level, depth })
  }
  return blocks
}

/** A date line is at the top or below the title, as the page's design has it: they sort first. Rows and entries stay. */
function inReadingOrder(blocks: Block[]): Block[] {
  const isDated = new Set(blocks.filter((block) => block.row === undefined && !block.item && isDateLine(block.text)))
  const dated = [...isDated].sort((a, b) => (a.key < b.key ? -1 : 1))
  return [...dated, ...blocks.filter((block) => !isDated.has(block))]
}

/**
 * The normal form: the words of a document in order, without anything that is not said: link targets, layout, emphasis,
 * numbering of lists, punctuation, boilerplate. Two texts with the same normal form say the same.
 */
const normalForm = (blocks: Block[]): string => joined(inReadingOrder(blocks).flatMap((block) => block.words))
