import type { ReadText } from '../normalize/normal-form-rules.ts'
import { totalWords } from '../normalize/words-rules.ts'
import { type Change, wordsChanged } from './changes-rules.ts'

/** A part of a document that went is large from this share of its words on and with so many, and always with so many more. */
const LOST_SHARE = 0.1
const LOST_WORDS = 30
const LOST_WORDS_ALWAYS = 300
/** What may come meanwhile, as a share of what went: a date, a number. */
const CAME_SHARE = 0.03

/** Returns whether a large part of a document went and nothing is in its place: it may not have loaded. */
export function lostPart({ blocks }: ReadText, changes: Change[]): boolean {
  const { removed, added } = wordsChanged(changes)
  const least = Math.max(LOST_WORDS, Math.min(totalWords(blocks) * LOST_SHARE, LOST_WORDS_ALWAYS))
  return removed >= least && added <= removed * CAME_SHARE
}

/** Who decides disputes depends on the region that a page is written for. */
const ARBITRATION = /\barbitra(?:tion|tors?|l)\b/giu
/** An agreement on arbitration speaks of it at least so often. */
const AGREEMENT = 10

/** Returns whether a whole agreement on arbitration came or went: the page may be the one of another region. */
export function arbitrationTurned(before: ReadText, after: ReadText): boolean {
  const [a, b] = [before, after].map(({ plain }) => (plain.match(ARBITRATION) ?? []).length) as [number, number]
  return Math.min(a, b) === 0 && Math.max(a, b) >= AGREEMENT
}
