import { LRUCache } from 'lru-cache'
import { sha256 } from '../../lib/hash.ts'
import { adviceOn, type DeclarationAdvice } from '../compare/advice-rules.ts'
import { boundedComparer, changesBetween } from '../compare/changes-rules.ts'
import { classify, judge } from '../compare/classify-rules.ts'
import { datesMoved } from '../compare/date-lines-rules.ts'
import { describeChanges } from '../compare/difference-rules.ts'
import { doubtsAbout } from '../compare/doubts/doubts-rules.ts'
import { nearestOf } from '../compare/doubts/former-texts-rules.ts'
import { keptShare } from '../compare/doubts/kept-rules.ts'
import { lastingText } from '../compare/doubts/lasting-text-rules.ts'
import { notADocument } from '../compare/doubts/not-a-document-rules.ts'
import { sideBySide } from '../compare/side-by-side-rules.ts'
import { significanceOf } from '../compare/significance-rules.ts'
import { siteOf } from '../compare/site-heads-rules.ts'
import { UnreadableDocument } from '../errors.ts'
import { containerText, extractText, type FetchedBytes } from '../extract/extract-text.ts'
import { statedDates } from '../normalize/dates-rules.ts'
import { type ReadText, readText } from '../normalize/normal-form-rules.ts'
import { type ExtractedText, FALLBACK_KEPT, SELECTORS_FAIL } from '../schema.ts'
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

/** What is to be read: fetched bytes, or a text that was extracted before, beside the text in force and the one that waits. */
export type DocumentInput = {
  content: FetchedBytes | StoredContent
  current?: StoredText
  pending?: StoredText
  /** What the site's other documents begin with. */
  site?: string[]
}

/** A text that was extracted before, and what its page said of itself where that is known. */
export type StoredContent = { markdown: string; signals?: string[]; notFound?: string; canonical?: string }

/** A document is compared with the same text in force at every fetch, in turn with the other documents. */
const recentTexts = new LRUCache<string, ReadText>({
  max: 100,
  maxSize: 8_000_000,
  sizeCalculation: (_, key) => key.length + 1,
})

/** Rules that a replay leaves out, to measure them. */
export type OmittedRules = { without?: string[] }

function readRecent(markdown: string, without: string[] = []): ReadText {
  const key = [...without, markdown].join('\n')
  const text = recentTexts.get(key) ?? readText(markdown, new Set(without))
  recentTexts.set(key, text)
  return text
}

const readStored = ({ markdown }: StoredText, without?: string[]): ReadText => readRecent(markdown, without)

/** Reads one document, and compares it with the text in force: everything that touches its bytes. */
export function readDocument({
  content,
  current,
  pending,
  site,
  without,
}: DocumentInput & OmittedRules): Promise<DocumentReading | Problem> {
  return orProblem(async () => {
    const { markdown, signals, notFound, canonical } = await extracted(content)
    const text = readRecent(markdown, without)
    const before = current && readStored(current, without)
    const waits = pending && readStored(pending, without)
    const { effective, updated } = statedDates(markdown)
    const missing = fallbackFails(notFound, before, text)
    const looksLike = notADocument(text, signals, before)
    const rejection = before ? (looksLike ?? missing) : (missing ?? looksLike)
    return {
      markdown,
      textHash: sha256(markdown),
      normalHash: sha256(text.normalForm),
      effectiveDate: effective,
      updatedDate: updated,
      rejection,
      canonical,
      isFallback: notFound !== undefined,
      lasting: before && waits && !rejection ? whatLasts(before, waits, text, site) : undefined,
      comparison: before && before.normalForm !== text.normalForm ? compare(before, text, site) : undefined,
    }
  })
}

/** A page is read as declared; where its selectors find nothing, its container has to be the document that is known. */
async function extracted(content: FetchedBytes | StoredContent): Promise<StoredContent & { signals: string[] }> {
  return 'bytes' in content ? await extractText(content) : { signals: [], ...content }
}

function fallbackFails(notFound: string | undefined, before: ReadText | undefined, text: ReadText): string | undefined {
  if (notFound === undefined || (before && keptShare(before, text) >= FALLBACK_KEPT)) return undefined
  return `${SELECTORS_FAIL}: ${notFound}`
}

/** Reads the text of one page, and compares it with nothing. */
export const extractPage = (fetched: FetchedBytes): Promise<ExtractedText | Problem> =>
  orProblem(() => extractText(fetched))

/** What of the change that waits a text says too. */
function whatLasts(before: ReadText, waits: ReadText, text: ReadText, site?: string[]): Comparison | undefined {
  if (text.normalForm === before.normalForm) return undefined
  const lasting = text.normalForm === waits.normalForm ? text : lastingText(before, waits, text)
  const comparison = lasting && compare(before, lasting, site)
  return comparison?.classification === 'cosmetic' ? undefined : comparison
}

/** Compares what a declaration finds on a page with the page's container. */
export const checkDeclaration = (fetched: FetchedBytes): Promise<DeclarationAdvice | Problem> =>
  orProblem(async () => {
    const container = containerText(fetched)
    if (!container || fetched.selectors.select.length === 0) return { proposed: container?.selector }
    const { markdown, notFound } = await extractText(fetched)
    return adviceOn(readRecent(markdown), readRecent(container.markdown), { ...container, notFound })
  })

/** Compares two texts that were read before. */
export const compareTexts = ({ before, after, without }: TextPair & OmittedRules): Promise<Comparison | Problem> =>
  orProblem(async () => compare(readStored(before, without), readStored(after, without)))

/** Compares a new text with those that were in force before: a page may have gone back to one of them. */
export const compareWithFormer = ({
  before,
  after,
  former,
  site,
  without,
}: TextWithHistory & OmittedRules): Promise<EarlierTexts | Problem> =>
  orProblem(async () => {
    const [current, text] = [readStored(before, without), readStored(after, without)]
    const texts = former.map((one) => readStored(one, without))
    const near = nearestOf(texts, text, changesBetween(current, text))
    return near
      ? { near: { index: near.index, comparison: compare(texts[near.index]!, text, site, near.changes) } }
      : {}
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

function compare(
  before: ReadText,
  after: ReadText,
  site: string[] = [],
  changes = changesBetween(before, after),
): Comparison {
  return {
    ...judge(before, after, changes, siteOf(site.map((markdown) => readRecent(markdown)))),
    significance: significanceOf(before, after, changes),
    doubts: doubtsAbout(before, after, changes),
    datesMoved: datesMoved(changes),
    difference: describeChanges(before, changes),
  }
}

/** A document can be too deep or too long for a parser, which then ends with a RangeError: that is not our fault. */
async function orProblem<T>(work: () => Promise<T>): Promise<T | Problem> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message }
    if (error instanceof RangeError) return { problem: `it is too large or nested too deep (${error.message})` }
    throw error
  }
}
