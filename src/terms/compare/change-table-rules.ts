import type { ReadText } from '../normalize/normal-form-rules.ts'
import { CLAUSE, OTHER, type Rule } from '../rule.ts'
import { onlyAddressesShown } from './addresses-rules.ts'
import { onlyAnnouncement } from './announcements-rules.ts'
import type { Change } from './changes-rules.ts'
import { onlyMoved, onlySpacesDiffer, sameWords } from './same-words-rules.ts'

/** A rule about what changed between two texts: the changes that it does not explain. */
export type ChangeRule = Rule & { rest: (changes: Change[], before: ReadText, after: ReadText) => Change[] }

const each = (explains: (change: Change) => boolean) => (changes: Change[]) => changes.filter((one) => !explains(one))

const NEWS = 'We have updated our Terms of Use on 3 March 2025. You can see the previous version here.'

/** The rules about changes, in the order in which they are applied. */
export const CHANGE_RULES: ChangeRule[] = [
  {
    name: 'same words',
    about: 'Lines that break elsewhere, words that are split elsewhere (as in PDF files), other capitals',
    example: [
      `Terms Of Use\n\n${CLAUSE} ${OTHER}`,
      `TERMS OF USE\n\n${CLAUSE.replace('business', 'busi ness')}\n\n${OTHER}`,
    ],
    earned: '4 of 373',
    rest: (changes, before, after) =>
      onlySpacesDiffer(before, after, changes) ? [] : changes.filter((change) => !sameWords(change)),
  },
  {
    name: 'addresses',
    about: 'An address that a page shows or hides: `[email protected]`, or nothing where a script writes it',
    example: [
      `${CLAUSE}\n\nWrite to the data protection officer at`,
      `${CLAUSE}\n\nWrite to the data protection officer at privacy@example.com`,
    ],
    earned: '1 of 373',
    rest: each(onlyAddressesShown),
  },
  {
    name: 'announcements',
    about: 'The line above a document that says that it was or will be changed, or leads to the version before',
    example: [`${CLAUSE}\n\n${OTHER}`, `${NEWS}\n\n${CLAUSE}\n\n${OTHER}`],
    earned: 'named in the design as what remains of noise',
    rest: each(onlyAnnouncement),
  },
  {
    name: 'moved paragraphs',
    about: 'The same paragraphs in another order',
    example: [`${CLAUSE}\n\n${OTHER}`, `${OTHER}\n\n${CLAUSE}`],
    earned: '2 events of 1.0.0',
    rest: (changes) => (onlyMoved(changes) ? [] : changes),
  },
]
