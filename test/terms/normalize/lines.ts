import type { PlainLine } from '../../../src/terms/normalize/plain-text-rules.ts'

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
