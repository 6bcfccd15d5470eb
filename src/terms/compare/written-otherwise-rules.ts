import { daysIn, hasDate, withoutDates } from '../normalize/dates-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import type { Change } from './changes-rules.ts'

/** Returns whether a change is nothing but another way to write the same: dates, letters of a list, hints about files, letters. */
export const onlyWrittenOtherwise = (change: Change): boolean =>
  onlyDatesWritten(change) || onlyEnumerators(change) || onlyFileHints(change) || onlyLostLetters(change)

const textOf = (blocks: Block[]) => blocks.map(({ text }) => text).join(' ')
const keyOf = (text: string) => joined(wordsOf(text.toLowerCase()))

/** `11/04/2024` that became `4 November 2024`: it names the same day when one of its readings does. */
function onlyDatesWritten({ before, after }: Change): boolean {
  const [a, b] = [textOf(before), textOf(after)]
  if (!hasDate(a) || keyOf(withoutDates(a)) !== keyOf(withoutDates(b))) return false
  const [x, y] = [daysIn(a), daysIn(b)]
  return x.length === y.length && x.every((days, i) => mayBeSame(days, y[i]!))
}

/** Of two dates that may be read in two ways each, nobody knows whether one is the other. */
const mayBeSame = (a: string[], b: string[]): boolean =>
  String(a) === String(b) || (a.length + b.length === 3 && a.some((day) => b.includes(day)))

/** The letter or number of an entry within a paragraph: `(b)`, `iv)`, `2)`. */
const ENUMERATOR = /(?<![^\s;,])\(?([a-z]|[ivx]{1,5}|\d{1,2})\)(?=\s)/giu
/** So many entries make a list of a paragraph. */
const ENTRIES = 2

/** The entries of a paragraph became paragraphs of their own, or the other way round, and lost or gained their letters. */
function onlyEnumerators({ before, after }: Change): boolean {
  const [one, other] = before.length < after.length ? [before, after] : [after, before]
  const [a, b] = [textOf(one), textOf(other)]
  if (one.length === 0 || b.search(ENUMERATOR) >= 0) return false
  const letters = [...a.matchAll(ENUMERATOR)].map((match) => match[1]!.toLowerCase())
  if (letters.length < ENTRIES || letters.length + 1 < other.length / one.length) return false
  return keyOf(a.replace(ENUMERATOR, ' ')) === keyOf(b)
}

/** What a link says of the file it leads to: `(PDF, 326 KB)`, `(PDF, 0.2MB, FR)`, `- pdf 1,2 Mo`, `(access pdf)`. */
const FILE =
  /\s*(?:\(\s*(?:access |view |open |download |télécharger |ouvrir |herunterladen |descargar |scarica )?(?:pdf|docx?|xlsx?)(?:[\s,:;-]+[\d.,]+\s?(?:[kmg]i?b|[kmg]o)(?:, ?[a-z]{2})?)?\s*\)|[-,]?\s(?:pdf|docx?|xlsx?)[\s,:;-]+[\d.,]+\s?(?:[kmg]i?b|[kmg]o))(?=(?:\s*\([^()]{1,40}\)\.?)?\s*$)/iu
const FILE_WORDS = 20

/** Names of files whose form or size stands there, or does not. */
function onlyFileHints({ before, after }: Change): boolean {
  if (before.length !== after.length) return false
  const isName = ({ words }: Block) => words.length <= FILE_WORDS
  const named = (blocks: Block[]) => blocks.map(({ text }) => keyOf(text.replace(FILE, ''))).join('\n')
  return [...before, ...after].every(isName) && named(before) === named(after)
}

/** What a server writes for a letter that its encoding does not have: a question mark within a word, or the sign for it. */
const LOST_LETTER = /\ufffd|(?<=\p{Script=Latin})\?(?=\p{Script=Latin})/gu
/** With so many in one text and none in the other, all that its encoding does not have is lost. */
const LOST_IN_TEXT = 5

const lostLetters = (text: string): number => text.match(LOST_LETTER)?.length ?? 0
/** What an encoding for Latin letters has, without quotes and dashes, which are lost with letters. Other scripts stay. */
const skeleton = (text: string) => text.replace(/[^!-~\p{L}\p{N}]|[?"'-]|(?![a-zA-Z])\p{Script=Latin}/gu, '')
/** Letters and signs that such an encoding does not have. */
const FOREIGN = /(?![!-~\ufffd])[\p{Script=Latin}\p{S}]/gu
const foreignSigns = (text: string): number => text.match(FOREIGN)?.length ?? 0
/** A sign stands for so many letters at most. */
const LETTERS_OF_SIGN = 3

/** Returns whether two passages say the same but for at most as many letters as so many signs stand for. */
function sameButFor(lost: number, { before, after }: Change): boolean {
  const [a, b] = [textOf(before), textOf(after)]
  if (skeleton(a) === '' || skeleton(a) !== skeleton(b)) return false
  return Math.abs(foreignSigns(a) - foreignSigns(b)) <= lost * LETTERS_OF_SIGN
}

/** The same words but for letters that an encoding lost, or that came back. */
function onlyLostLetters(change: Change): boolean {
  const [a, b] = [change.before, change.after].map((blocks) => lostLetters(textOf(blocks))) as [number, number]
  return a > 0 !== b > 0 && sameButFor(a + b, change)
}

/** Returns whether the encoding of one of two texts lost letters and signs, which the other has. */
export function lostEncoding(before: ReadText, after: ReadText): boolean {
  const [a, b] = [before.plain, after.plain].map(lostLetters) as [number, number]
  return Math.min(a, b) === 0 && Math.max(a, b) >= LOST_IN_TEXT
}

/** Between such texts, a change of nothing but what an encoding loses. */
export function onlyLostSigns(change: Change): boolean {
  const signs = textOf([...change.before, ...change.after]).match(/[?\ufffd]/gu)
  return sameButFor(signs?.length ?? 0, change)
}
