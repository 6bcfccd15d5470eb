import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/hash.ts'
import { boundedComparer, changesBetween } from '../compare/changes-rules.ts'
import { classify } from '../compare/classify-rules.ts'
import { describeChanges } from '../compare/difference-rules.ts'
import { notADocument } from '../compare/not-a-document-rules.ts'
import { reviewReasons } from '../compare/review-reasons-rules.ts'
import { sideBySide } from '../compare/side-by-side-rules.ts'
import { UnreadableDocument } from '../errors.ts'
import { extractText, type FetchedBytes } from '../extract/extract-text.ts'
import { statedDates } from '../normalize/dates-rules.ts'
import { type ReadText, readText } from '../normalize/normal-form-rules.ts'
import type { Comparison, DocumentReading, Problem, TextPair, VersionsSideBySide } from './reading.ts'

/** What is to be read: fetched bytes, or a text that was extracted before, beside the text in force. */
export type DocumentToRead = { content: FetchedBytes | { markdown: string }; current?: string }

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

/** Reads one document, and compares it with the text in force: everything that touches its bytes. */
export function readDocument({ content, current }: DocumentToRead): Promise<DocumentReading | Problem> {
  return orProblem(async () => {
    const { markdown, signals } = 'bytes' in content ? await extractText(content) : { ...content, signals: [] }
    const [text, before] = [readRecent(markdown), current === undefined ? undefined : readRecent(current)]
    const { effective, updated } = statedDates(markdown)
    return {
      markdown,
      textHash: sha256(markdown),
      normalHash: sha256(text.normalForm),
      effectiveDate: effective,
      updatedDate: updated,
      rejection: notADocument(text, signals, before),
      comparison: before && before.normalForm !== text.normalForm ? compare(before, text) : undefined,
    }
  })
}

/** Compares two texts that were read before. */
export const compareTexts = ({ before, after }: TextPair): Promise<Comparison | Problem> =>
  orProblem(async () => compare(readRecent(before), readRecent(after)))

/** Compares two texts for a person who reads them beside each other. */
export const compareSideBySide = (pair: TextPair): Promise<VersionsSideBySide | Problem> =>
  orProblem(async () => {
    const [before, after] = [readRecent(pair.before), readRecent(pair.after)]
    const comparer = boundedComparer()
    const changes = changesBetween(before, after, comparer)
    const difference = describeChanges(before, changes)
    return { classification: classify(before, after, changes), difference, ...sideBySide(before, changes, comparer) }
  })

function compare(before: ReadText, after: ReadText): Comparison {
  const changes = changesBetween(before, after)
  return {
    classification: classify(before, after, changes),
    reviewReasons: reviewReasons(before, after),
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
