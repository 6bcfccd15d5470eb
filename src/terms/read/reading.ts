import type { Significance } from '../../events/schema.ts'
import type { Difference } from '../compare/difference-rules.ts'
import type { SideBySide } from '../compare/side-by-side-rules.ts'
import type { Classification } from '../schema.ts'
import type { Volatility } from '../volatile/schema.ts'

/** Why a document cannot be read, in one sentence. */
export type Problem = { problem: string }

/** What changed between two texts, and why a person has to look at it. */
export type Comparison = {
  classification: Classification
  significance: Significance
  reviewReasons: string[]
  /** A large part went, which may not have loaded, or the page may be that of another region: it is confirmed later. */
  lostPart: boolean
  /** How many different dates went, or came where those are more. */
  datesMoved: number
  difference: Difference
}

/** What the earlier texts of a document say about a new one, which the text in force does not explain. */
export type EarlierTexts = {
  /** It is one of them in the other kind of English. */
  inOtherSpelling?: true
  /** Nothing but one of them went, which stood below the new text. */
  superseded?: true
  /** It is nearly the one of this index; how they differ. */
  near?: { index: number; comparison: Comparison }
}

/** One document as it was read. `comparison` is there when it says something else than the text in force. */
export type DocumentReading = {
  markdown: string
  textHash: string
  normalHash: string
  effectiveDate?: string
  updatedDate?: string
  /** Why it is no legal document: an error page, a login page … */
  rejection?: string
  comparison?: Comparison
  /** Ids of the units that are not compared, because they differ at nearly every fetch. */
  leftOut: string[]
  learned?: LearnedPlaces
}

/** What a fetch taught about the places that change, and the text in force without them. */
type LearnedPlaces = { volatility: Volatility; currentLeftOut: string[]; currentNormalHash: string }

/** A stored text, and the ids of its units that are not compared. */
export type StoredText = { markdown: string; leftOut: string[] }

export type TextPair = { before: StoredText; after: StoredText }
/** A text in force, a new one, and texts that were in force before. */
export type TextWithHistory = TextPair & { former: StoredText[] }
export type VersionsSideBySide = Pick<Comparison, 'classification' | 'significance' | 'difference'> & SideBySide
