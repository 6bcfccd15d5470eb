import { NOTICES, NOTICES_IN_OTHER_LANGUAGES } from '../../language/notices-rules.ts'
import type { Block, ReadText } from '../../normalize/normal-form-rules.ts'
import { totalWords } from '../../normalize/words-rules.ts'
import { SIZE_BELOW } from '../../schema.ts'

/** A phrase may go on in the next line: pages break their lines anywhere. */
const overLines = ({ source, flags }: RegExp) => new RegExp(source.replaceAll(' ', String.raw`\s`), flags)
const PHRASES = [...NOTICES, ...NOTICES_IN_OTHER_LANGUAGES].map(
  ([reason, phrase]) => [reason, overLines(phrase)] as const,
)

/** Pages shorter than this are judged by what they say; longer ones say such things in passing. */
const NOTICE_WORDS = 150
/** Up to this many words, such a phrase in the first lines condemns a page. */
const NOTICE_WORDS_AT_TOP = 400
const TOP_CHARACTERS = 400
/** A network shows the last copy it knows of a site that does not answer: the document may be newer. */
const ARCHIVED = overLines(/cloudflare's always online|snapshot of this web page from the internet archive/)
/** No legal document is this short. */
const LEAST_WORDS = 20

/**
 * Why a text is not a legal document at all: an error page, a login page, a cookie wall … `earlier` is the text in force:
 * what it says itself is not a sign of an error, and a page that keeps most of it is judged less harshly.
 */
export function notADocument(text: ReadText, signals: string[], earlier?: ReadText): string | undefined {
  const words = text.plainWords
  const before = earlier?.plainWords
  if (words === 0) return signals[0] ?? 'empty'
  const collapsed = before !== undefined && words < before * SIZE_BELOW
  const limit = collapsed ? Math.max(NOTICE_WORDS_AT_TOP, NOTICE_WORDS) : NOTICE_WORDS
  const isKept = earlier !== undefined && !collapsed && keepsMost(earlier, text)
  for (const [reason, phrase] of words <= NOTICE_WORDS_AT_TOP && !isKept ? PHRASES : []) {
    if (!(words <= limit && phrase.test(text.plain)) && !phrase.test(text.plain.slice(0, TOP_CHARACTERS))) continue
    if (collapsed || earlier === undefined || !phrase.test(earlier.plain)) return reason
  }
  if (ARCHIVED.test(text.plain.slice(0, TOP_CHARACTERS))) return 'a copy from an archive'
  if (signals.length > 0 && words < (collapsed ? NOTICE_WORDS_AT_TOP : NOTICE_WORDS)) return signals[0]
  if (words < LEAST_WORDS) return 'too short'
  const isBroken = earlier === undefined ? beginsWithError(text) : partFailed(earlier, text)
  return isBroken ? 'part of the page is an error' : undefined
}

/** A text with so much of the one in force is that document, whatever a sentence of it says. */
const MOST_KEPT = 0.5

function keepsMost(earlier: ReadText, later: ReadText): boolean {
  const keys = new Set(later.blocks.map(({ key }) => key))
  const kept = earlier.blocks.filter(({ key }) => keys.has(key))
  return earlier.blocks.length > 0 && totalWords(kept) >= totalWords(earlier.blocks) * MOST_KEPT
}

/** What a page says where a part of it did not load; short, and about the page itself. */
const PART_FAILED =
  /^(?:sorry,? )?(?:(?:this|the) (?:page|site)(?: you \w+ \w+ \w+)? (?:isn't|is not|is no longer) (?:available|found|working)|the link may be broken|page (?:was )?not found|an? (?:unexpected |unknown |internal )?(?:server )?error (?:has )?occurred|something went wrong|(?:internal )?server error|try reloading the page|404\b|access denied)/
const PART_FAILED_WORDS = 30
/** This many words have to be gone for it: a document may well come to speak of errors. */
const PART_FAILED_LOST = 50

/** Returns whether a page is put together from several, and the first of them failed: its title and its first line say so. */
const beginsWithError = ({ blocks: [title, line] }: ReadText): boolean =>
  title !== undefined && line !== undefined && saysPartFailed(title) && saysPartFailed(line)

const saysPartFailed = ({ words, text }: Block): boolean =>
  words.length <= PART_FAILED_WORDS && PART_FAILED.test(text.replace(/^## /, '').toLowerCase())

/** Returns whether an error replaces a passage: a page is put together from several, and one failed. */
function partFailed(earlier: ReadText, later: ReadText): boolean {
  const known = new Set(earlier.blocks.map((block) => block.key))
  const failed = later.blocks.some((block) => !known.has(block.key) && saysPartFailed(block))
  if (!failed) return false
  const kept = new Set(later.blocks.map((block) => block.key))
  const lost = earlier.blocks.filter((block) => !kept.has(block.key))
  return totalWords(lost) >= PART_FAILED_LOST
}
