import { shownAddress } from './shown-address-rules.ts'

/** An address that is shown, as its host and path: ids and queries say nothing. */
const URL_TEXT = /<?\b(https?:\/\/[^\s<>()[\]"']+)>?/gi
/** The end of a link whose text holds an empty line, as pages with buttons give: no link by the letter. */
const STRAY_TARGET = /\]\([^()\s]*\)/g
/** Where a written address leads, beside it. */
const STRAY_MAILTO = /\(mailto: ?[^()\s]{3,100}\)/gi
/** A place within the page, as a link leaves it whose address has spaces. */
const STRAY_ANCHOR = /\(#[^()]{0,120}(?:\([^()]{0,60}\)[^()]{0,60})?\)/g
/** Dashes that only draw. */
const DRAWN = /(?<![^\s])-{3,}(?![^\s])/g
/** Marks that say yes or no where a cell of a table has nothing else; anywhere else they draw. */
const MARKS = /[✓✔✅☑✗✘✕✖❌☒○◯△●]\ufe0f?/gu
const MARK: Record<string, string> = {
  '✔': '✓',
  '✅': '✓',
  '☑': '✓',
  '✘': '✗',
  '✕': '✗',
  '✖': '✗',
  '❌': '✗',
  '☒': '✗',
  '×': '✗',
  '◯': '○',
}
const ONE_MARK = /^[✓✔✅☑✗✘✕✖❌☒×○◯△●]\ufe0f?$/u
/** Characters that show nothing, and the signs of icon fonts. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]|\p{Co}/gu

/** Marks before a line's text: bullets, then numbering such as `1.`, `(b)`, `iv)`, `3.2.`, `A.1.`, `C.1.a.ii.`. */
const BULLET = /^[*+\-•◦▪–] /
const LETTERED = /^(?:\d{1,3} ?|[a-zA-Z])[.)] /
const NUMBERING =
  /^\(?(?:\d{1,3}(?:\.\d{1,3}){0,4} ?|[a-zA-Z]|[ivxIVX]{1,5}|(?:[A-Z]|\d{1,3})(?:\.(?:\d{1,3}|[a-z]|[ivx]{1,5})){1,4})[.)] /
/** `15. Januar 2026`, `16. Lebensjahr`: the day of a date, or an ordinal, and not the number of a clause. */
const DAY =
  /^\d{1,2}\. ?(?:(?:januar|jänner|februar|feber|märz|marts|mars|april|mai|maj|juni|juli|august|september|o[kc]tober|november|de[zcs]ember|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince|januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra|(?:tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu)kuuta)(?=$|[\s,.;:)]*(?:\d|$))|lebensjahr)/iu
export const startsWithDay = (text: string): boolean => DAY.test(text)

const BARE_NUMBERING = /^\d{1,2}(?:\.\d{1,2}){1,3} (?=["'*_]{0,3}\p{Lu}(?:\p{Ll}|\p{Lu}+,? \p{Lu}{2}))/u

/** A piece of a line with its addresses shortened: done before what follows a link can run into it. */
export const withoutUrls = (text: string): string =>
  text.replace(URL_TEXT, (_, address: string) => shownAddress(address))

/** UTF-8 that was read as Windows-1252 or Latin-1: no language has these letters before these signs. */
const TWICE_ENCODED = /[\u00c2\u00c3][\u0080-\u00bf]|\u00e2(?:[\u0080-\u00bf]{2}|\u20ac[™˜œ¦“”\u009d])/g
/** The bytes of characters that Windows-1252 has where Latin-1 has none. */
const WINDOWS_1252: Record<string, number> = { '€': 0x80, '™': 0x99, '˜': 0x98, œ: 0x9c, '“': 0x93, '”': 0x94 }
const decodedOnce = (text: string) =>
  Buffer.from([...text].map((character) => WINDOWS_1252[character] ?? character.charCodeAt(0))).toString('utf8')

/** The text of a line in one kind of quotes, dashes and spaces, without what cannot be seen. */
function plainCharacters(text: string): string {
  return (
    text
      .replace(TWICE_ENCODED, decodedOnce)
      // An accent that stands alone is a quote; normalization would put it on a space.
      .replace(/\u00b4|(?<=\s)\u0301/g, "'")
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .replace(STRAY_TARGET, '')
      .replace(STRAY_MAILTO, '')
      .replace(STRAY_ANCHOR, '')
      .replace(/[‘’ʼ`´]/g, "'")
      .replace(/[“”„«»]/g, '"')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(DRAWN, ' ')
      .replace(/[[\]|~]/g, (mark) => (mark === '|' ? ' ' : ''))
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** Emphasis before a number that the parser does not see, as in `**4. Fees.**You pay`. */
const STRAY_START = /^[*_]{1,3}(?=\(?[\p{N}a-zA-Z])/u

/** Marks of emphasis that are not emphasis in the tree, because a space is on the wrong side of them. */
const withoutStrayMarks = (text: string): string =>
  text
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .replace(/\( ?\)/g, '')
    .trim()

/** `5.CONFIDENTIALITY`, `5.****Confidentiality`: a number whose space is missing. */
const TIGHT_NUMBERING = /^\d{1,3}(?:\.\d{1,3}){0,4}\.[*_]{0,4}(?=["'(]?\p{Lu}\p{L})/u
/** `1.5 Credits`, `2.5 Percent`: what looks like the number of a clause is an amount. */
const AMOUNT =
  /^\d{1,2}(?:\.\d{1,2}){1,3} (?:credits?|percent|points?|dollars?|euros?|pounds?|cents?|hours?|days?|weeks?|months?|years?|minutes?|seconds?|tokens?|million|billion|thousand|times|seats?|units?|users?|[GMTK]i?B)\b/i
/** An entry of a list with so few words that its number is an amount. */
const AMOUNT_WORDS = 4

/** `2.2The`: the same without a stop; in `2.5Mbps` it is an amount. */
const TIGHT_DECIMAL = /^\d{1,2}(?:\.\d{1,2}){1,4}(?![KMGT]i?[bB])(?=\p{Lu}\p{Ll})/u

/** `(a)access`, `(ii)To`: a letter whose space is missing. */
const TIGHT_LETTER = /^\((?:[a-z]|[ivx]{1,5})\)(?=\p{L})/u

/** `A.1. Scope`, `C.1.a.ii. Notices`, `1.1(a) use`: letters and digits that a stop, a bracket or a capital ends. `U.S. law` has no digit. */
const MIXED_NUMBERING =
  /^\(?(?:\d{1,2}|[A-Za-z]|[ivxIVX]{2,5})(?:\.(?:\d{1,2}|[A-Za-z]|[ivxIVX]{2,5})(?![\p{L}\p{N}])|\((?:\d{1,2}|[A-Za-z]|[ivxIVX]{2,5})\)){1,5}(?:[.):] |(?<=\)) | (?=["'*_]{0,3}\p{Lu}))/u
const withoutMixedNumbering = (text: string): string =>
  text.replace(MIXED_NUMBERING, (number) => (/\d/.test(number) && /[A-Za-z]/.test(number) ? '' : number))
export const startsWithMixedNumber = (text: string): boolean => withoutMixedNumbering(text) !== text

const withoutNumbering = (text: string): string =>
  withoutMixedNumbering(text)
    .replace(NUMBERING, '')
    .replace(NUMBERING, '')
    .replace(TIGHT_NUMBERING, '')
    .replace(TIGHT_DECIMAL, '')
    .replace(TIGHT_LETTER, '')

/** A line without its bullet and its number, whether it began with one, and that number. */
export function plainLine(line: string, { item: inList = false } = {}): PlainText {
  const text = plainCharacters(line).replace(MARKS, ' ').replace(/ {2,}/g, ' ').trim().replace(STRAY_START, '')
  const isItem = BULLET.test(text) || (LETTERED.test(text) && !startsWithDay(text))
  const unmarked = text.replace(BULLET, '')
  const rest = startsWithDay(unmarked) ? unmarked : withoutNumbering(unmarked)
  const isAmount = AMOUNT.test(rest) || ((inList || isItem) && rest.split(' ').length <= AMOUNT_WORDS)
  const bare = isAmount ? rest : rest.replace(BARE_NUMBERING, '')
  const before = unmarked.slice(0, unmarked.length - bare.length)
  const number = before.replace(/[()*_\s]+|[.)*_\s]+$/g, ' ').trim()
  return {
    text: withoutStrayMarks(bare),
    item: isItem,
    number: number.replace(/[.)]$/, '') || undefined,
    marker: before.replace(/[*_]/g, '').trim() || undefined,
  }
}
/** `marker` is its number as it is written, with brackets and stops. */
type PlainText = { text: string; item: boolean; number?: string; marker?: string }

export const plainRow = (cells: string[]): string => withoutStrayMarks(plainCharacters(cells.map(withMark).join(' ')))

function withMark(cell: string): string {
  const mark = cell.trim()
  return ONE_MARK.test(mark) ? (MARK[mark[0]!] ?? mark[0]!) : cell.replace(MARKS, ' ')
}

/** A line that only draws: `---`, `* * *`, `| --- | --- |`. */
export const isDrawing = (line: string): boolean => /^[-*_=|:\s]+$/.test(line)
