import { hasDate } from './dates-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { wordsOf } from './words-rules.ts'

/** Within this many lines of the top, short labels before the first heading belong to the page. */
const TOP_LINES = 12
const TOP_WORDS = 8

const isSentence = (text: string) => /[.!?;:。！？；：]["”')\]]*\s*$/u.test(text)

/** Below the title, up to the first sentence, so few words are a label too: the language of the page. */
const LABEL_WORDS = 2

/** Few words that are not a sentence and state no date. */
export const isShort = (plain: string, most = TOP_WORDS) =>
  !hasDate(plain) && !isSentence(plain) && wordsOf(plain).length <= most

const isLabel = ({ plain, row, heading }: PlainLine, most: number) =>
  row === undefined && !heading && isShort(plain, most)

/** The lines without the labels that a page shows around its title; a list above a title of the first level leads to it. */
export function labelsAroundTitle(lines: PlainLine[]): PlainLine[] {
  const title = lines.findIndex((line) => line.heading)
  if (title < 0 || title >= TOP_LINES) return lines
  const text = lines.findIndex(({ plain }, i) => i > title && (isSentence(plain) || wordsOf(plain).length > TOP_WORDS))
  const leads = lines[title]!.level === 1 ? title : 0
  const most = (i: number) => (i < title ? TOP_WORDS : i < text ? LABEL_WORDS : 0)
  return lines.filter((line, i) => (line.item && i >= leads) || !isLabel(line, most(i)))
}
