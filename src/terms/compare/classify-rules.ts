import { monthsIn } from '../normalize/dates-rules.ts'
import { type Block, normalFormWithoutDates, type ReadText } from '../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import { type Classification, MINOR_WORDS } from '../schema.ts'
import { blocksOnOneSide, type Change, wordsChanged } from './changes-rules.ts'
import { withoutCutParagraphs } from './cut-paragraphs-rules.ts'
import { sameBesideDates, statesOnlyDate } from './date-lines-rules.ts'
import { onlyTranslated } from './language-rules.ts'
import { changedLists } from './lists-rules.ts'
import { changesMeaning } from './meaning-rules.ts'
import { withoutPageChrome } from './page-chrome-changes-rules.ts'
import { onlyForm } from './page-forms-rules.ts'
import { onlyFailedPart } from './page-notices-rules.ts'
import { onlyPrizeGames } from './prize-games-rules.ts'
import { announcementGone, onlyRepeated, onlyVersionPointer } from './repeated-rules.ts'
import { rowsCameOrWent, withoutMovedRows } from './rows-rules.ts'
import {
  onlyAddressesShown,
  onlyEntriesLinked,
  onlyNumbersOfHeadings,
  withoutLostDates,
} from './shown-otherwise-rules.ts'
import { onlyLabelsBelow, onlyMoreLabelsBelow, onlyQuestions, onlyStrayLabels } from './stray-labels-rules.ts'
import { lostEncoding, onlyLostSigns, onlyWrittenOtherwise } from './written-otherwise-rules.ts'

/**
 * How much a change says. Cosmetic: the same words, or the same paragraphs elsewhere. Dates: nothing but dates. Minor:
 * at most {@link MINOR_WORDS} words, none of which turns a clause around or names a row. Everything else is substantive, and so
 * is an entry that went from one list to another.
 */
export function classify(before: ReadText, after: ReadText, changes: Change[]): Classification {
  if (before.normalForm === after.normalForm || onlySpacesDiffer(before, after, changes)) return 'cosmetic'
  const isLost = lostEncoding(before, after)
  const isPrizeGame = onlyPrizeGames(before, after)
  const said = withoutPageChrome(withoutCutParagraphs(withoutMovedRows(changes)), before.blocks)
    .map(withoutLostDates)
    .filter(
      (change) =>
        change.before.length + change.after.length > 0 &&
        !onlyHiddenAddress(change) &&
        !onlyAddressesShown(change) &&
        !onlyEntriesLinked(change) &&
        !sameWords(change) &&
        !onlyNumbersOfHeadings(change) &&
        !onlyWrittenOtherwise(change) &&
        !(isLost && onlyLostSigns(change)) &&
        !onlyRepeated(change, before.blocks, after.blocks) &&
        !announcementGone(change) &&
        !onlyVersionPointer(change) &&
        !onlyTranslated(change) &&
        !onlyStrayLabels(change, before.blocks) &&
        !onlyLabelsBelow(change, before.blocks) &&
        !onlyMoreLabelsBelow(change, before.blocks) &&
        !onlyForm(change, before.blocks) &&
        !onlyFailedPart(change, before.blocks) &&
        !isPrizeGame(change) &&
        !onlyQuestions(change),
    )
  if (changedLists(before.blocks, after.blocks)) return 'substantive'
  if (said.length === 0 || onlyMoved(said) || onlyTitle(said) || onlyHeadings(said)) return 'cosmetic'
  if (normalFormWithoutDates(before) === normalFormWithoutDates(after) && sameBesideDates(said))
    return said.every(onlyMonthPassed) ? 'cosmetic' : 'dates'
  if (said.some(changesMeaning) || rowsCameOrWent(said)) return 'substantive'
  const { removed, added } = wordsChanged(said)
  return Math.max(removed, added) > MINOR_WORDS ? 'substantive' : 'minor'
}

/** So many words that differ by nothing but spaces were read by another program: it may split numbers too. */
const RESPACED_WORDS = 10

/** Returns whether the same characters follow each other, in lines that break elsewhere and words that are split elsewhere. */
function onlySpacesDiffer(before: ReadText, after: ReadText, changes: Change[]): boolean {
  const texts = [before, after].map(({ lines }) =>
    lines.map(({ plain, leadsTo = '' }) => `${plain} ${leadsTo}`).join(' '),
  )
  const [a, b] = texts.map((text) => joined(wordsOf(text.toLowerCase())))
  if (a === b) return true
  const words = changes.reduce((sum, { wordsRemoved, wordsAdded }) => sum + Math.max(wordsRemoved, wordsAdded), 0)
  if (words < RESPACED_WORDS) return false
  const [x, y] = [respaced(before.whole), respaced(after.whole)]
  return x === y
}

/** Letters, numbers with their stops, signs and currencies of a text, without any space. */
const respaced = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/(?<!\p{N})[.,:]|[.,:](?!\p{N})/gu, '')
    .replace(/(?<=[\p{L}\p{N}])[-+]/gu, '')
    .replace(/[^\p{L}\p{N}\p{Sc}.,:%‰≤≥≠±<>=+-]/gu, '')

/** The document's own title came or went: a heading before everything else, with nothing in its place. */
function onlyTitle(changes: Change[]): boolean {
  const [change] = changes
  if (changes.length !== 1 || !change || change.at > 1) return false
  const blocks = [...change.before, ...change.after]
  return blocks.length === 1 && blocks[0]!.heading
}

/** So many headings that went, or came, each from above its paragraphs, are the page's design. */
const HEADINGS = 5

function onlyHeadings(changes: Change[]): boolean {
  const isOneHeading = (change: Change) => {
    const [block, ...more] = blocksOnOneSide(change)
    return block?.heading === true && more.length === 0 && !changesMeaning(change)
  }
  const isSameSide = new Set(changes.map(({ after }) => after.length)).size === 1
  return changes.length >= HEADINGS && isSameSide && changes.every(isOneHeading)
}

/** The month of a document moved on by one or two, as a page states the month in which it was built. */
function onlyMonthPassed({ before, after }: Change): boolean {
  if (before.length !== 1 || after.length !== 1 || ![...before, ...after].every(statesOnlyDate)) return false
  const [a, b] = [before[0]!.text, after[0]!.text].map(monthsIn) as [number[], number[]]
  const passed = b.map((month, i) => month - (a[i] ?? Number.NaN))
  return a.length > 0 && a.length === b.length && passed.every((months) => months >= 0 && months <= 2)
}

/** What an address that a network hides from robots reads as until a browser has it, and what was left of it. */
const HIDDEN = /[\p{L}.]*email\W{0,3}protected[\p{L}.]*/giu
const NOT_IN_ADDRESS = /[^\p{L}\p{N}._%+@-]+/u

function onlyHiddenAddress({ before, after }: Change): boolean {
  const [a, b] = [before, after].map((blocks) => blocks.map((block) => block.text).join('\n')) as [string, string]
  if (`${a}\n${b}`.search(HIDDEN) < 0) return false
  return wordsBesideAddresses(a) === wordsBesideAddresses(b)
}

function wordsBesideAddresses(text: string): string {
  const parts = text.replace(HIDDEN, ' @ ').split(NOT_IN_ADDRESS)
  return joined(parts.filter((part) => !part.includes('@')).flatMap(wordsOf)).toLowerCase()
}

/** The same words in lines that break elsewhere, with other capitals, or with a space between two words that had none. */
function sameWords({ before, after }: Change): boolean {
  const said = (blocks: Block[]) => joined(blocks.flatMap((block) => block.words)).toLowerCase()
  if (said(before) === said(after)) return true
  const shown = (blocks: Block[]) => joined(blocks.flatMap((block) => wordsOf(block.text))).toLowerCase()
  return shown(before) === shown(after)
}

/** Returns whether blocks only moved. */
function onlyMoved(changes: Change[]): boolean {
  const keys = (blocks: Block[]) =>
    blocks
      .map((block) => block.key)
      .sort()
      .join('\n')
  return keys(changes.flatMap((change) => change.before)) === keys(changes.flatMap((change) => change.after))
}
