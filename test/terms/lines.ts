import type { PlainLine } from '../../src/terms/normalize/plain-text-rules.ts'

/** A line of a page, for tests of what is done with lines, without a document around them. */
export const line = (plain: string, more: Partial<PlainLine> = {}): PlainLine => ({
  plain,
  heading: false,
  item: false,
  link: false,
  targets: [],
  names: [],
  ...more,
})
export const title = (plain: string): PlainLine => line(plain, { heading: true })
/** A line of nothing but links, that lead to pages of one site. */
export const links = (...names: string[]): PlainLine =>
  line(names.join(''), { names, targets: names.map((name) => `https://example.com/${name}`), link: names.length === 1 })
export const plainOf = (lines: PlainLine[]): string[] => lines.map(({ plain }) => plain)
/** So many words in a line. */
export const long = (count: number, word = 'word'): PlainLine => line(Array(count).fill(word).join(' '))
