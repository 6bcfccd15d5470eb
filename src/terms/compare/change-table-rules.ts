import type { ReadText } from '../normalize/normal-form-rules.ts'
import { type Rule, reordered } from '../rule.ts'
import { onlyAddressesShown } from './addresses-rules.ts'
import { onlyAnnouncement } from './announcements-rules.ts'
import type { Change } from './changes-rules.ts'
import { withoutLineBreaks } from './line-breaks-rules.ts'
import { onlySpacesDiffer, sameWords, withoutMoved } from './same-words-rules.ts'

/** A rule about what changed between two texts: the changes that it does not explain. */
export type ChangeRule = Rule & { rest: (changes: Change[], before: ReadText, after: ReadText) => Change[] }

const each = (explains: (change: Change) => boolean) => (changes: Change[]) => changes.filter((one) => !explains(one))

const NEWS = 'We have updated our Terms of Use on 3 March 2025. You can see the previous version here.'

/** The rules about changes, in the order in which they are applied. */
export const CHANGE_RULES: ChangeRule[] = [
  {
    name: 'same words',
    about: 'Lines that break elsewhere, words that are split elsewhere (as in PDF files), other capitals',
    example: (text) => text.replaceAll('# Terms of Use', '# TERMS OF USE').replaceAll('you 30 days', 'y ou\n30 days'),
    earned: '4 of 373',
    rest: (changes, before, after) =>
      onlySpacesDiffer(before, after, changes) ? [] : withoutLineBreaks(changes).filter((change) => !sameWords(change)),
  },
  {
    name: 'moved paragraphs',
    about: 'The same paragraphs in another order',
    example: reordered,
    earned: '2 events of 1.0.0',
    rest: withoutMoved,
  },
  {
    name: 'addresses',
    about: 'An address that a page shows or hides: `[email protected]`, or nothing where a script writes it',
    example: (text) => text.replaceAll('officer at', 'officer at privacy@example.com'),
    earned: '1 of 373',
    rest: each(onlyAddressesShown),
  },
  {
    name: 'announcements',
    about: 'The line above a document that says that it was or will be changed, or leads to the version before',
    example: (text) => `${NEWS}\n\n${text}`,
    earned: 'named in the design as what remains of noise',
    rest: each(onlyAnnouncement),
  },
]
