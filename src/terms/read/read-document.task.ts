import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/hash.ts'
import { boundedComparer, changesBetween } from '../compare/changes-rules.ts'
import { classify } from '../compare/classify-rules.ts'
import { datesMoved } from '../compare/date-lines-rules.ts'
import { describeChanges } from '../compare/difference-rules.ts'
import { explainedBy } from '../compare/former-texts-rules.ts'
import { arbitrationTurned, lostPart } from '../compare/lost-part-rules.ts'
import { notADocument } from '../compare/not-a-document-rules.ts'
import { isNoTranslation, reviewReasons } from '../compare/review-reasons-rules.ts'
import { sideBySide } from '../compare/side-by-side-rules.ts'
import { significanceOf } from '../compare/significance-rules.ts'
import { UnreadableDocument } from '../errors.ts'
import { extractText, type FetchedBytes } from '../extract/extract-text.ts'
import { statedDates } from '../normalize/dates-rules.ts'
import { leaveOut, type ReadText, readText } from '../normalize/normal-form-rules.ts'
import { unitsOf } from '../normalize/units-rules.ts'
import { learn } from '../volatile/learn-rules.ts'
import type { FetchTime } from '../volatile/place-rules.ts'
import type { Volatility } from '../volatile/schema.ts'
import type {
  Comparison,
  DocumentReading,
  EarlierTexts,
  Problem,
  StoredText,
  TextPair,
  TextWithHistory,
  VersionsSideBySide,
} from './reading.ts'

/** What is to be read: fetched bytes, or a text that was extracted before, beside the text in force. */
export type DocumentToRead = {
  content: FetchedBytes | { markdown: string }
  current?: StoredText
  /** What is known of the places that change, and when the document was fetched. */
  learning?: FetchTime & { known: Volatility }
}

/** A document is compared with the same text in force at every fetch, in turn with the other documents. */
const recentTexts = new LRUCache<string, ReadText>({
  max: 100,
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length + 1,
})

function readRecent(markdown: string): ReadText {
  const text = recentTexts.get(markdown) ?? readText(markdown)
  recentTexts.set(markdown, text)
  return text
}

function readStored({ markdown, leftOut }: StoredText): ReadText {
  const text = readRecent(markdown)
  return leftOut.length === 0 ? text : leaveOut(text, leftOut)
}

/** Reads one document, and compares it with the text in force: everything that touches its bytes. */
export function readDocument({ content, current, learning }: DocumentToRead): Promise<DocumentReading | Problem> {
  return orProblem(async () => {
    const { markdown, signals } = 'bytes' in content ? await extractText(content) : { ...content, signals: [] }
    const whole = readRecent(markdown)
    const wholeBefore = current && readRecent(current.markdown)
    const { effective, updated } = statedDates(markdown)
    const rejection = notADocument(whole, signals, wholeBefore)
    const learned = wholeBefore && learning && !rejection ? learnPlaces(wholeBefore, whole, learning) : undefined
    const text = learned?.text ?? whole
    const before = learned?.before ?? (current && readStored(current))
    return {
      markdown,
      textHash: sha256(markdown),
      normalHash: sha256(text.normalForm),
      effectiveDate: effective,
      updatedDate: updated,
      rejection,
      leftOut: learned?.leftOut ?? [],
      learned: learned?.places,
      comparison: before && before.normalForm !== text.normalForm ? compare(before, text) : undefined,
    }
  })
}

/** Learns which places change, and reads both texts without the volatile ones. */
function learnPlaces(before: ReadText, text: ReadText, { known, ...time }: FetchTime & { known: Volatility }) {
  const [current, fetched] = [unitsOf(before.allLines), unitsOf(text.allLines)]
  const { volatility, currentLeftOut, leftOut } = learn(known, current, fetched, time, boundedComparer())
  const [a, b] = [leaveOut(before, currentLeftOut), leaveOut(text, leftOut)]
  const places = { volatility, currentLeftOut, currentNormalHash: sha256(a.normalForm) }
  return { before: a, text: b, leftOut, places }
}

/** Compares two texts that were read before. */
export const compareTexts = ({ before, after }: TextPair): Promise<Comparison | Problem> =>
  orProblem(async () => compare(readStored(before), readStored(after)))

/** Compares a new text with those that were in force before: a page may have gone back to one of them. */
export const compareWithFormer = ({ before, after, former }: TextWithHistory): Promise<EarlierTexts | Problem> =>
  orProblem(async () => {
    const [current, text] = [readStored(before), readStored(after)]
    const texts = former.map(readStored)
    const explained = explainedBy(texts, current, text, changesBetween(current, text))
    if (!explained) return {}
    if (explained.as === 'other spelling') return { inOtherSpelling: true }
    if (explained.as === 'superseded') return { superseded: true }
    const { index, changes } = explained
    return { near: { index, comparison: compare(texts[index]!, text, changes) } }
  })

/** Compares two texts for a person who reads them beside each other. */
export const compareSideBySide = (pair: TextPair): Promise<VersionsSideBySide | Problem> =>
  orProblem(async () => {
    const [before, after] = [readStored(pair.before), readStored(pair.after)]
    const comparer = boundedComparer()
    const changes = changesBetween(before, after, comparer)
    const difference = describeChanges(before, changes)
    const classification = classify(before, after, changes)
    const significance = significanceOf(before, after, changes)
    return { classification, significance, difference, ...sideBySide(before, after, changes, comparer) }
  })

function compare(before: ReadText, after: ReadText, changes = changesBetween(before, after)): Comparison {
  const reasons = reviewReasons(before, after, changes)
  return {
    classification: isNoTranslation(reasons) ? 'substantive' : classify(before, after, changes),
    significance: significanceOf(before, after, changes),
    reviewReasons: reasons,
    lostPart: lostPart(before, changes) || arbitrationTurned(before, after),
    datesMoved: datesMoved(changes),
    difference: describeChanges(before, changes),
  }
}

/** A document can be too deep or too long for a parser, which then ends with a RangeError: that is no fault of ours. */
async function orProblem<T>(work: () => Promise<T>): Promise<T | Problem> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message }
    if (error instanceof RangeError) return { problem: `it is too large or nested too deep (${error.message})` }
    throw error
  }
}
