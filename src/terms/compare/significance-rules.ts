import type { Significance } from '../../events/schema.ts'
import { AMOUNT } from '../language/amounts-rules.ts'
import { daysIn, withoutDates } from '../normalize/dates-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { wordsOf } from '../normalize/words-rules.ts'
import { changedSentences } from './changed-sentences-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'
import { counted, differingWords, sameCounts } from './lists/counts-rules.ts'
import { rowChanges } from './lists/rows-rules.ts'
import { bindsOtherwise } from './meaning-rules.ts'
import { isAboutRights, namesParty } from './topics-rules.ts'

/** Up to this many different words that were added or removed, and that bind no one, are a detail: fewer where the date line moved on. */
const DETAIL_WORDS = { dated: 10, undated: 20 }
/** From this many on, words about rights are a new rule and not a reworded one. */
const RULE_WORDS = 30
/** This many different words in so large a part of the paragraphs are another edition, in whatever language. */
const REWRITTEN_WORDS = 100
const REWRITTEN_SHARE = 0.5
/** Up to this many words without a stop are a label of the page. */
const LABEL_WORDS = 8

const STOP = /[.!?;:。！？；：]["”')\]]*$/u
type WordingChange = {
  /** Different words that were added or removed, numbers aside. */
  words: string[]
  /** It obliges, allows or forbids otherwise, or names another amount or period. */
  binds: boolean
  /** What binds otherwise is about rights. */
  bindsRights: boolean
  /** The added or removed words are about rights, or name another party. */
  aboutRights: boolean
}

/**
 * How much a change matters. High: a clause about rights binds otherwise, a new rule about them, or another edition.
 * Low: a few words that bind no one. It suppresses nothing: subscribers choose.
 */
export function significanceOf(before: ReadText, after: ReadText, changes: Change[]): Significance {
  const said = saidBy(before.blocks, changes)
  const words = new Set(said.flatMap((one) => one.words)).size
  const aboutRights = said.some((one) => one.aboutRights)
  const isDated = dateMovedForward(changes)
  if (said.some(({ bindsRights }) => bindsRights)) return 'high'
  if (aboutRights && (words >= RULE_WORDS || isDated)) return 'high'
  if (words >= REWRITTEN_WORDS && shareChanged(before, after, changes) >= REWRITTEN_SHARE) return 'high'
  if (aboutRights || said.some(({ binds }) => binds) || rowChanges(changes).length > 0) return 'medium'
  return words > (isDated ? DETAIL_WORDS.dated : DETAIL_WORDS.undated) ? 'medium' : 'low'
}

/** What each change says otherwise, without what only moved from one to another. */
function saidBy(blocks: Block[], changes: Change[]): WordingChange[] {
  const meant = changes.map(({ before, after, at }) => ({
    before: before.filter(isSaid),
    after: after.filter(isSaid),
    at,
  }))
  const all = changedSentences({
    before: meant.flatMap(({ before }) => before),
    after: meant.flatMap(({ after }) => after),
  })
  const [went, came] = [new Set(all.before), new Set(all.after)]
  const above = linesAbove(blocks)
  return meant.map((change) => {
    const { before, after } = changedSentences(change)
    const [a, b] = [before.filter((one) => went.has(one)), after.filter((one) => came.has(one))]
    return saidOtherwise(a.join('\n'), b.join('\n'), introductionOf(change, above))
  })
}

/**
 * A date line says nothing else, and a label of the page binds no one. An entry of a list may be short, except above the
 * first heading, where the menu is.
 */
function isSaid(block: Block): boolean {
  const isEntry = block.row !== undefined || (block.item === true && block.section !== '')
  return !statesOnlyDate(block) && (isEntry || block.words.length > LABEL_WORDS || STOP.test(block.text))
}

function saidOtherwise(before: string, after: string, introduction: string): WordingChange {
  const [a, b] = [withoutDates(before), withoutDates(after)]
  const words = differingWords(counted(wordsOf(a)), counted(wordsOf(b)))
  const text = `${introduction}\n${a}\n${b}`
  const binds =
    bindsOtherwise(a, b) ||
    !sameCounts(counted(amountsIn(a)), counted(amountsIn(b))) ||
    bindsOtherwise(introduction, '')
  return {
    words: words.filter((word) => !/\p{N}/u.test(word)),
    binds,
    bindsRights: binds && isAboutRights(text),
    aboutRights: isAboutRights(words.join('\n')) || namesParty(words.join('\n')),
  }
}

const amountsIn = (text: string): string[] => (text.match(AMOUNT) ?? []).map((amount) => amount.replace(/\s/g, ''))

/** Returns for each place of a text the last line above it that is not an entry of a list. */
function linesAbove(blocks: Block[]): string[] {
  const above = ['']
  for (const { text, item } of blocks) above.push(item ? above.at(-1)! : text)
  return above
}

/** Returns the line that introduces the list to which entries came, or from which they went: `You may not:`. */
function introductionOf({ before, after, at }: Pick<Change, 'before' | 'after' | 'at'>, above: string[]): string {
  const entries = blocksOnOneSide({ before, after })
  if (entries.length === 0 || !entries.every(({ item }) => item)) return ''
  const introduction = above[at]!
  return /[:：]$/u.test(introduction) ? introduction.toLowerCase() : ''
}

/** Returns whether the date of the document is a later one: the provider says itself that this is a new edition. */
function dateMovedForward(changes: Change[]): boolean {
  const newest = (blocks: Block[]) => {
    const days = blocks.filter(statesOnlyDate).flatMap(({ text }) => daysIn(text).flat())
    return days.sort().at(-1)
  }
  const [was, is] = [newest(changes.flatMap(({ before }) => before)), newest(changes.flatMap(({ after }) => after))]
  return was !== undefined && is !== undefined && is > was
}

/** Returns which part of the paragraphs was added or removed. */
function shareChanged(before: ReadText, after: ReadText, changes: Change[]): number {
  const count = (side: 'before' | 'after') => changes.reduce((sum, change) => sum + change[side].length, 0)
  const [went, came] = [count('before') / before.blocks.length, count('after') / after.blocks.length]
  return Math.max(went || 0, came || 0)
}
