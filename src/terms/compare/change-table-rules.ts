import type { ReadText } from '../normalize/normal-form-rules.ts'
import { HUB, type Rule, reordered } from '../rule.ts'
import { onlyAddressesShown } from './addresses-rules.ts'
import type { Change } from './changes-rules.ts'
import { withoutContents } from './contents-rules.ts'
import { withoutShownDates } from './date-lines-rules.ts'
import { withoutLineBreaks } from './line-breaks-rules.ts'
import { onlySpacesDiffer, sameWords, withoutMoved } from './same-words-rules.ts'
import { type Site, withoutSiteHead } from './site-heads-rules.ts'
import { withoutTitles } from './titles-rules.ts'

/** A rule about what changed between two texts: the changes that it does not explain. */
export type ChangeRule = Rule & { rest: (changes: Change[], before: ReadText, after: ReadText, site: Site) => Change[] }

/** The rules about changes, in the order in which they are applied. */
export const CHANGE_RULES: ChangeRule[] = [
  {
    name: 'heads of the site',
    about:
      "What other documents of the site begin with too, above the document's own title: the title of a hub, its news",
    example: (text) => `${HUB}\n\n${text}`,
    earned: '8 events of 49, 3 of 39',
    rest: withoutSiteHead,
  },
  {
    name: 'titles',
    about: 'Headings without a date above the first paragraph, row or entry: how a page names the document',
    example: (text) => text.replace('# Terms of Use', '# Our terms at a glance'),
    earned: '3 events of 185, 5 of 62, 3 of 54, 2 of 53, 4 of 56',
    rest: withoutTitles,
  },
  {
    name: 'contents',
    about: 'An entry of a table of contents: an entry of a list that is a heading of the same text too',
    example: (text) => text.replace('A.1.', '- How we end it\n\nA.1.'),
    earned: '1 event of 28, 1 of 53',
    rest: withoutContents,
  },
  {
    name: 'shown dates',
    about:
      'A line or sentence with the dates of the document and nothing else that the page begins or ceases to show; all dates a day earlier or later',
    example: (text) => text.replace('A.1.', 'Updated on 3 March 2025\n\nA.1.'),
    earned: '6 events of 82, 3 of 60, 3 of 54, 5 of 56, 3 of 32; by sentences 1 of 68, 1 of 39',
    rest: withoutShownDates,
  },
  {
    name: 'same words',
    about:
      'Lines that break elsewhere, words that are split elsewhere (as in PDF files), other capitals, British or American spelling',
    example: (text) => text.replaceAll('# Terms of Use', '# TERMS OF USE').replaceAll('you 30 days', 'y ou\n30 days'),
    earned: '3 of 533, 4 events of 46, 2 of 39, 1 of 32',
    rest: (changes, before, after) =>
      onlySpacesDiffer(before, after, changes) ? [] : withoutLineBreaks(changes).filter((change) => !sameWords(change)),
  },
  {
    name: 'moved paragraphs',
    about: 'The same paragraphs in another order',
    example: reordered,
    earned: '5 of 533',
    rest: withoutMoved,
  },
  {
    name: 'addresses',
    about: 'An address that a page shows or hides: nothing where a script writes it; another page of the same host',
    example: (text) => text.replaceAll('officer at', 'officer at privacy@example.com'),
    earned: '1 of 533, 2 events of 54',
    rest: (changes) => changes.filter((change) => !onlyAddressesShown(change)),
  },
]
