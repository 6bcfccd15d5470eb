import type { Significance } from '../../events/schema.ts'
import type { Difference } from '../compare/difference-rules.ts'
import type { SideBySide } from '../compare/side-by-side-rules.ts'
import type { Classification, ExplainedWords } from '../schema.ts'

/** Why a document cannot be read, in one sentence. */
export type Problem = { problem: string }

/** What changed between two texts, and what is unusual about it. */
export type Comparison = {
  classification: Classification
  /** What the rules explained of the change. */
  explained: ExplainedWords[]
  significance: Significance
  /** What is unusual about the change. */
  doubts: string[]
  /** How many different dates went, or came where those are more. */
  datesMoved: number
  difference: Difference
}

/** The earlier text that a new one nearly is, by its index, and how they differ; absent where the text in force is nearer. */
export type EarlierTexts = { near?: { index: number; comparison: Comparison } }

/** One document as it was read. `comparison` is there when it says something else than the text in force. */
export type DocumentReading = {
  markdown: string
  textHash: string
  normalHash: string
  effectiveDate?: string
  updatedDate?: string
  /** Why it is not a legal document: an error page, a login page … */
  rejection?: string
  /** The address that the page gives as its own. */
  canonical?: string
  /** Whether its selectors found nothing, and the container of the page was read. */
  isFallback?: boolean
  comparison?: Comparison
  /** What of the change that waits this text says too. */
  lasting?: Comparison
}

export type StoredText = { markdown: string }

export type TextPair = { before: StoredText; after: StoredText }
/** A text in force, a new one, texts that were in force before, and what the site's other documents begin with. */
export type TextWithHistory = TextPair & { former: StoredText[]; site?: string[] }
export type VersionsSideBySide = Pick<Comparison, 'classification' | 'significance' | 'difference'> & SideBySide
