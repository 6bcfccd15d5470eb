import { applied, CLAUSE, OTHER, type Rule, type Without } from '../rule.ts'
import { withoutEdgeLinks } from './edge-links-rules.ts'
import type { PlainLine } from './plain-text-rules.ts'
import { withoutRepeats } from './repeated-text-rules.ts'
import { labelsAroundTitle } from './title-rules.ts'

/** A rule about the lines of a text: what is left of them. */
export type LineRule = Rule & { lines: (lines: PlainLine[]) => PlainLine[] }

const TITLE = '# Terms of Use'

/** The rules about words, in the order in which they are applied. What compares words asks for them by name. */
export const WORD_RULES: Rule[] = [
  {
    name: 'clause numbers',
    about: 'Numbers and letters before a clause or an entry: `3.2`, `(b)`, `A.1.`, `C.1.a.ii.`',
    example: [`${TITLE}\n\nA.1. ${CLAUSE}\n\nA.2. ${OTHER}`, `${TITLE}\n\nB.1. ${CLAUSE}\n\nB.2. ${OTHER}`],
    earned: 'numbering is a part of every second redesign',
  },
  {
    name: 'dates',
    about: 'The same day in another writing, or beside another label: `Updated 3 March 2025`, `Effective: 2025-03-03`',
    example: [`${TITLE}\n\n${CLAUSE} It ends on 3 March 2025.`, `${TITLE}\n\n${CLAUSE} It ends on 2025-03-03.`],
    earned: '0 of 373; it keeps a redesign from being a change of dates',
  },
  {
    name: 'link hints',
    about: 'What says where a link opens: `(opens in a new window)`',
    example: [`${TITLE}\n\n${CLAUSE}`, `${TITLE}\n\n${CLAUSE.replace('terms', 'terms(opens in a new window)')}`],
    earned: '1 of 373',
  },
]

/** The rules about lines, in the order in which they are applied. */
export const LINE_RULES: LineRule[] = [
  {
    name: 'second copy',
    about: 'A second copy of the text for another size of screen',
    example: [
      `${TITLE}\n\n${CLAUSE}\n\n${OTHER}\n\nThird part.\n\nFourth part.`,
      `${TITLE}\n\n${CLAUSE}\n\n${OTHER}\n\nThird part.\n\nFourth part.\n\n${TITLE}\n\n${CLAUSE}\n\n${OTHER}\n\nThird part.\n\nFourth part.`,
    ],
    earned: '3 of 373',
    lines: withoutRepeats,
  },
  {
    name: 'labels around the title',
    about:
      'Up to eight words that are not a sentence above the first heading, and up to two below it: a country, a language',
    example: [`${TITLE}\n\n${CLAUSE}`, `France\n\n${TITLE}\n\n${CLAUSE}`],
    earned: '5 of 373, and 2 of 42 events with a declaration',
    lines: labelsAroundTitle,
  },
  {
    name: 'links at the edges',
    about: 'Two or more lines of nothing but links above or below the text: a menu, other pages of a help centre',
    example: [
      `${TITLE}\n\n${CLAUSE}\n\n[How to begin](/a)\n\n[How to end](/b)`,
      `${TITLE}\n\n${CLAUSE}\n\n[How to pay](/c)\n\n[How to end](/b)`,
    ],
    earned: '33 of 373, and 11 of 69 events without a declaration',
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
