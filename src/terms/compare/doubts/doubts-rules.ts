import { statedDates } from '../../normalize/dates-rules.ts'
import type { ReadText } from '../../normalize/normal-form-rules.ts'
import { totalWords } from '../../normalize/words-rules.ts'
import { DOUBTS, SIZE_ABOVE, SIZE_BELOW, TEXT_KEPT, TEXT_RECOGNIZED } from '../../schema.ts'
import { type Change, wordsChanged } from '../changes-rules.ts'
import { keptShare } from './kept-rules.ts'
import { areInTwoLanguages } from './language-rules.ts'
import { forAnotherRegion } from './region-rules.ts'

/** A part that came in another language counts from this share of the text on. */
const PART_SHARE = 0.15
/** A missing part is large from this share of the words on, and with this many; hardly anything came in its place. */
const LOST_SHARE = 0.1
const LOST_WORDS = 30
const CAME_SHARE = 0.03

/**
 * What is unusual about a changed text. Two doubts hold it for a while: another language, and a collapse, where most of the
 * text is missing, and neither a later date nor what is left says that it is the same document. The others are only shown.
 */
export function doubtsAbout(before: ReadText, after: ReadText, changes: Change[]): string[] {
  const [a, b] = [before.plainWords, after.plainWords]
  const kept = keptShare(before, after)
  const isDated = statesLaterDate(before, after)
  const isRewritten = kept < TEXT_KEPT && (isDated || (kept >= TEXT_RECOGNIZED && b >= a * SIZE_BELOW))
  const doubts: string[] = []
  if (inAnotherLanguage(before, after)) doubts.push(DOUBTS.language)
  else if (kept < TEXT_KEPT && !isRewritten) doubts.push(DOUBTS.collapse)
  else if (!isDated && !isRewritten && lostPart(before, changes)) doubts.push(DOUBTS.lostPart)
  if (b < a * SIZE_BELOW) doubts.push(DOUBTS.shorter)
  if (b > a * SIZE_ABOVE) doubts.push(DOUBTS.longer)
  if (isRewritten) doubts.push(DOUBTS.rewritten)
  if (statesLaterDate(after, before)) doubts.push(DOUBTS.older)
  if (!isDated && forAnotherRegion(before, after, changes)) doubts.push(DOUBTS.region)
  return doubts
}

/** Whether a text, or a large part of it, is in another language now. */
function inAnotherLanguage(before: ReadText, after: ReadText): boolean {
  if (areInTwoLanguages(before.blocks, after.blocks)) return true
  const kept = [before, after].map(({ blocks }) => new Set(blocks.map(({ key }) => key)))
  const went = before.blocks.filter(({ key }) => !kept[1]!.has(key))
  const came = after.blocks.filter(({ key }) => !kept[0]!.has(key))
  const isLarge = Math.min(totalWords(went), totalWords(came)) >= totalWords(before.blocks) * PART_SHARE
  return isLarge && areInTwoLanguages(went, came)
}

/** Whether a large part went and nothing is in its place: it may not have loaded. */
function lostPart({ blocks }: ReadText, changes: Change[]): boolean {
  const { removed, added } = wordsChanged(changes)
  return removed >= Math.max(LOST_WORDS, totalWords(blocks) * LOST_SHARE) && added <= removed * CAME_SHARE
}

/** Whether the second text says of itself that it is later. */
function statesLaterDate(before: ReadText, after: ReadText): boolean {
  const [was, is] = [before, after].map(({ blocks }) => statedDates(blocks.map(({ text }) => text).join('\n\n')))
  const later = (one?: string, other?: string) => one !== undefined && other !== undefined && other > one
  return later(was!.updated, is!.updated) || later(was!.effective, is!.effective)
}
