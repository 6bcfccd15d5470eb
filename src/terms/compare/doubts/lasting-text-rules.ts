import { withCanonicalDates } from '../../normalize/dates-rules.ts'
import { type ReadText, withLines } from '../../normalize/normal-form-rules.ts'
import type { PlainLine } from '../../normalize/plain-text-rules.ts'
import { sentencesOf } from '../../normalize/sentences-rules.ts'
import { joined, wordsOf } from '../../normalize/words-rules.ts'
import { boundedComparer, type Comparer } from '../changes-rules.ts'

/** A sentence of a document, or a line that is none. */
type Sentence = { text: string; key: string; words: string[]; line: PlainLine }

/** Sentences of the text in force between two that stayed, as a half-open range, and what is there now. */
type Difference = { from: number; to: number; came: Sentence[] }

/** The differences of a text, and which of its lines are lines of the text in force. */
type TextComparison = { differences: Difference[]; lines: Map<PlainLine, PlainLine> }

const HAS_DIGIT = /\p{N}/u
/** A sentence of fewer words is not recognized when its numbers differ. */
const LEAST_WORDS = 4

/**
 * The text in force with what is otherwise in both of two later texts, sentence by sentence: a change lasts while other parts of the page
 * differ at every fetch. Returns undefined when nothing lasts, or the comparison costs too much.
 */
export function lastingText(inForce: ReadText, pending: ReadText, fetched: ReadText): ReadText | undefined {
  const compare = boundedComparer()
  const [before, first, second] = [inForce, pending, fetched].map(({ lines }) => lines.flatMap(sentencesIn))
  const [was, is] = [first!, second!].map((after) => comparedWith(before!, after, compare))
  if (!was || !is) return undefined
  const kept: Sentence[] = []
  let at = 0
  for (const difference of was.differences) {
    const lasting = whatLasts(difference, is.differences, before!)
    if (!lasting) continue
    const stayed = before!
      .slice(difference.from, difference.to)
      .filter((_, i) => !lasting.gone.has(difference.from + i))
    const came = lasting.came.map((sentence) => ({ ...sentence, line: was.lines.get(sentence.line) ?? sentence.line }))
    kept.push(...before!.slice(at, difference.from), ...stayed, ...came)
    at = difference.to
  }
  if (at === 0 && kept.length === 0) return undefined
  return withLines(linesOf([...kept, ...before!.slice(at)]), inForce.without)
}

const sentencesIn = (line: PlainLine): Sentence[] =>
  sentencesOf(line.plain).map((text) => {
    const words = wordsOf(withCanonicalDates(text.toLowerCase()))
    return { text, words, key: joined([...words, line.leadsTo ?? '']), line }
  })

/** Sentences of one line that follow each other are that line again. */
function linesOf(sentences: Sentence[]): PlainLine[] {
  const lines: { of: PlainLine; texts: string[] }[] = []
  for (const { text, line } of sentences) {
    const last = lines.at(-1)
    if (last?.of === line) last.texts.push(text)
    else lines.push({ of: line, texts: [text] })
  }
  return lines.map(({ of, texts }) => ({ ...of, plain: texts.join(' ') }))
}

function comparedWith(before: Sentence[], after: Sentence[], compare: Comparer): TextComparison | undefined {
  const parts = compare(before, after)
  if (!parts) return undefined
  const compared: TextComparison = { differences: [], lines: new Map() }
  let [at, afterAt] = [0, 0]
  let open: Difference | undefined
  for (const { value, added, removed } of parts) {
    if (added || removed) {
      if (!open) {
        open = { from: at, to: at, came: [] }
        compared.differences.push(open)
      }
      if (added) open.came.push(...after.slice(afterAt, afterAt + value.length))
      else open.to += value.length
    } else {
      open = undefined
      for (let i = 0; i < value.length; i++) compared.lines.set(after[afterAt + i]!.line, before[at + i]!.line)
    }
    if (!added) at += value.length
    if (!removed) afterAt += value.length
  }
  return compared
}

/**
 * What of a difference the other text has too. Where both have other sentences in place of some, nothing lasts: a banner
 * takes turns there.
 */
function whatLasts({ from, to, came }: Difference, others: Difference[], before: Sentence[]) {
  const beside = others.filter((other) => other.from <= to && other.to >= from)
  const cameToo = beside.flatMap((other) => other.came)
  const went = before.slice(from, to)
  const lasting = came.filter((sentence) => cameToo.some((other) => saysTheSame(sentence, other, went)))
  if (lasting.length === 0 && came.length + cameToo.length > 0) return undefined
  const gone = new Set(
    went.map((_, i) => from + i).filter((i) => beside.some((other) => other.from <= i && i < other.to)),
  )
  return lasting.length + gone.size > 0 ? { came: lasting, gone } : undefined
}

/** The same sentence, or one whose numbers differ at every fetch: it lasts when the text in force has no such sentence. */
function saysTheSame(one: Sentence, other: Sentence, went: Sentence[]): boolean {
  if (one.key === other.key) return true
  const counters = countersIn(one, other)
  return counters !== undefined && !went.some((before) => sameBeside(one, before, counters))
}

/** The indices of the words that differ, when these are numbers. */
function countersIn({ words }: Sentence, other: Sentence): Set<number> | undefined {
  if (words.length !== other.words.length || words.length < LEAST_WORDS) return undefined
  const differ = words.flatMap((word, i) => (word === other.words[i] ? [] : [i]))
  return differ.every((i) => HAS_DIGIT.test(words[i]!) && HAS_DIGIT.test(other.words[i]!)) ? new Set(differ) : undefined
}

const sameBeside = ({ words }: Sentence, other: Sentence, counters: Set<number>): boolean =>
  words.length === other.words.length && words.every((word, i) => counters.has(i) || word === other.words[i])
