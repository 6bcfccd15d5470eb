import { DATE_LABEL, saysHowLongAgo } from '../language/dates-rules.ts'
import { NOTHING, type Without } from '../rule.ts'
import { hasDate, withCanonicalDates, withoutDates } from './dates-rules.ts'
import { withoutLinkHints } from './link-hints-rules.ts'
import { expandLinkLists } from './link-lists-rules.ts'
import { type PlainLine, plainLines } from './plain-text-rules.ts'
import { withNamedEntries } from './row-names-rules.ts'
import { placesOf } from './sections-rules.ts'
import { applyLineRules } from './text-table-rules.ts'
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

const DATE_LINE_CHARACTERS = 80
const DATE_LINE_WORDS = 4

function comparable(plain: string, without: Without): string[] {
  const text = plain.replace(/ & /g, ' and ')
  if (without.has('dates')) return wordsOf(text)
  const words = wordsOf(withCanonicalDates(text))
  return isDateLine(plain) ? words.filter((word) => !DATE_LABEL.test(word)) : words
}

/** The time beside a date: `8:19 PM`, `13:45 GMT`. */
const TIME =
  /(?:at )?(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?: (?:gmt|utc|cet|cest|est|edt|pst|pdt))?(?!\w)/giu

/** A short line that states a date and hardly anything else: `Last updated: 4 May 2025 at 8:19 PM`. */
export const isDateLine = (text: string) =>
  text.length <= DATE_LINE_CHARACTERS &&
  hasDate(text) &&
  wordsOf(withoutDates(text).replace(TIME, ' ')).length <= DATE_LINE_WORDS

/** A short line that says how long ago the page was changed: `Updated: 10 days ago`. A row and an entry say more. */
const isAge = ({ plain, row, item }: PlainLine): boolean =>
  row === undefined && !item && plain.length <= DATE_LINE_CHARACTERS && saysHowLongAgo(plain)

/** A document's text taken apart once, for everything that is compared with it. */
export type ReadText = {
  /** All its lines, page chrome included, in lower case: what decides whether it is a document at all. */
  plain: string
  /** How many words all its lines have. */
  plainWords: number
  /** All its lines with their numbers, and where lines of links lead. */
  whole: string
  /** Its lines without what the rules about lines leave out. */
  lines: PlainLine[]
  blocks: Block[]
  normalForm: string
  /** The rules that were left out. */
  without: Without
}

/** @throws UnreadableDocument when its Markdown cannot be parsed in reasonable time. */
export function readText(markdown: string, without: Without = NOTHING): ReadText {
  const all = plainLines(markdown)
  return withLines(withNamedEntries(applyLineRules(expandLinkLists(all), without)), without, all)
}

/** A text of these lines; `all` are those that the rules about lines left out too. */
export function withLines(lines: PlainLine[], without: Without, all = lines): ReadText {
  const plain = all.map((line) => line.plain.toLowerCase()).join('\n')
  const whole = all.map(({ number = '', plain, targets }) => [number, plain, ...targets].join(' ')).join(' ')
  const blocks = blocksOf(lines, without)
  return { plain, plainWords: wordsOf(plain).length, whole, lines, blocks, normalForm: normalForm(blocks), without }
}

/** The normal form of a text without its dates. */
export const normalFormWithoutDates = ({ lines, without }: ReadText): string =>
  normalForm(blocksOf(lines, without, { ignoreDates: true }))

/** The blocks of a document. */
function blocksOf(lines: PlainLine[], without: Without, options: { ignoreDates?: boolean } = {}): Block[] {
  const blocks: Block[] = []
  const places = placesOf(lines)
  for (const [i, line] of lines.entries()) {
    const plain = without.has('link hints') ? line.plain : withoutLinkHints(line.plain)
    if (isAge(line) && !without.has('dates')) continue
    if (options.ignoreDates && line.row === undefined && !line.item && isDateLine(plain)) continue
    const words = comparable(options.ignoreDates ? withoutDates(plain) : plain, without)
    if (line.leadsTo) words.push(line.leadsTo)
    if (words.length === 0) continue
    const text = line.heading ? `## ${plain}` : line.leadsTo ? `${plain} (${line.leadsTo})` : plain
    const { heading, row, marker, level, depth } = line
    const item = line.item ? true : undefined
    blocks.push({ text, heading, ...places[i]!, words, key: joined(words), row, item, marker, level, depth })
  }
  return blocks
}

/**
 * The normal form: the words of a document in order, without anything that is not said: link targets, layout, emphasis,
 * numbering of lists, punctuation. Two texts with the same normal form say the same.
 */
const normalForm = (blocks: Block[]): string => joined(blocks.flatMap((block) => block.words))
