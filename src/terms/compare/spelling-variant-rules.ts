import { datesIn } from '../normalize/dates-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { createSpeller } from '../normalize/spelling-rules.ts'
import { totalWords, wordsOf } from '../normalize/words-rules.ts'
import { type Change, wordsChanged } from './changes-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** So many words that are spelled the other way, all in one direction, are another edition of the page. */
const OTHER_SPELLINGS = 3
/** What else may differ between two editions: words, as a share of the document too, and how many more one has. */
const CHANGED_WORDS = 60
const CHANGED_SHARE = 0.05
const MORE_WORDS = 20

/**
 * Returns whether the same page is served in its other kind of English: words are spelled the other way, and hardly
 * anything else differs.
 */
export function inOtherSpelling(before: ReadText, after: ReadText, changes: Change[]): boolean {
  const words = totalWords(before.blocks)
  const { removed, added } = wordsChanged(changes)
  if (Math.max(removed, added) > Math.min(CHANGED_WORDS, words * CHANGED_SHARE)) return false
  if (
    Math.abs(removed - added) > MORE_WORDS ||
    changes.some((change) => changesMeaning(change) || changesNumbers(change))
  )
    return false
  return isSpelledOtherwise(before, after)
}

/** Returns whether so many words are spelled the other way, and none the other way round. */
export function isSpelledOtherwise(before: ReadText, after: ReadText, least = OTHER_SPELLINGS): boolean {
  const spell = createSpeller()
  const [a, b] = [countsOf(before.blocks), countsOf(after.blocks)]
  const [toBritish, toAmerican] = [respelled(a, b, spell), respelled(b, a, spell)]
  return Math.max(toBritish, toAmerican) >= least && Math.min(toBritish, toAmerican) === 0
}

/** A document that states another date, period or amount was changed. */
function changesNumbers({ before, after }: Change): boolean {
  const [a, b] = [before, after].map((blocks) => {
    const text = blocks.map((block) => block.text).join('\n')
    return [...datesIn(text), ...wordsOf(text).filter((word) => /\p{N}/u.test(word))].join('\n')
  })
  return a !== b
}

type Counts = Map<string, number>

/** How many British words the second text has in place of American ones of the first. */
function respelled(first: Counts, second: Counts, spell: (word: string) => string): number {
  let count = 0
  for (const [word, times] of second) {
    const other = spell(word)
    if (other === word) continue
    const more = times - (first.get(word) ?? 0)
    const fewer = (first.get(other) ?? 0) - (second.get(other) ?? 0)
    count += Math.max(0, Math.min(more, fewer))
  }
  return count
}

function countsOf(blocks: Block[]): Counts {
  const counts: Counts = new Map()
  for (const word of blocks.flatMap(({ text }) => wordsOf(text.toLowerCase())))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
