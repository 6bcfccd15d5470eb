import { applied, type Rule, type Without } from '../rule.ts'
import { withoutEdgeLinks } from './edge-links-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { labelsAroundTitle } from './title-rules.ts'

/** A rule about the lines of a text: what is left of them. */
export type LineRule = Rule & { lines: (lines: PlainLine[]) => PlainLine[] }

/** The rules about words, in the order in which they are applied. What compares words asks for them by name. */
export const WORD_RULES: Rule[] = [
  {
    name: 'clause numbers',
    about: 'Numbers and letters before a clause or an entry: `3.2`, `(b)`, `A.1.`, `C.1.a.ii.`',
    example: (text) => text.replaceAll('A.1.', 'B.1.').replaceAll('A.2.', 'B.2.'),
    earned: '1 of 533',
  },
  {
    name: 'dates',
    about:
      'The same day in another writing, or beside another label: `Updated 3 March 2025`, `Effective: 2025-03-03`; how long ago it was: `Updated 3 days ago`',
    example: (text) => text.replaceAll('3 March 2025', '2025-03-03'),
    earned: '5 of 533, and 16 events of 55',
  },
  {
    name: 'link hints',
    about: 'What says where a link opens: `(opens in a new window)`',
    example: (text) => text.replaceAll('business', 'business(opens in a new window)'),
    earned: '0 of 533, and 1 of 373 before; people read texts without them',
  },
]

/** The rules about lines, in the order in which they are applied. */
export const LINE_RULES: LineRule[] = [
  {
    name: 'labels around the title',
    about:
      'Up to eight words that are not a sentence above the first heading, and up to two below it: a country, a language, and where the page is in the site',
    example: (text) => `France\n\n${text}`,
    earned: '2 of 533; by lists 1 event of 62',
    lines: labelsAroundTitle,
  },
  {
    name: 'links at the edges',
    about:
      'Two or more lines of nothing but links above or below the text, and their heading: a menu, other pages of a help centre',
    example: (text) => text.replaceAll('[How to begin](/a)', '[How to pay](/c)'),
    earned: '11 of 533, 1 event of 58',
    lines: withoutEdgeLinks,
  },
]

/** Applies the rules about lines that are not left out. */
export function applyLineRules(lines: PlainLine[], without: Without): PlainLine[] {
  const left = applied(LINE_RULES, without).reduce((rest, rule) => rule.lines(rest), lines)
  return without.has('clause numbers') ? left.map(withNumber) : left
}

const withNumber = (line: PlainLine): PlainLine =>
  line.number === undefined ? line : { ...line, plain: `${line.number} ${line.plain}` }
