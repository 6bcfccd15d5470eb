import type { FailingSource } from '../catalog/sources/source-store.ts'
import type { Instant } from '../lib/instant.ts'
import type { OpenReview, ReviewFilter } from '../prices/review/list-reviews.ts'

/** Something that waits for a person, of prices or of documents. */
export type QueueItem = {
  id: string
  /** Another one where a decision would carry out something else. */
  revision: string
  kind: OpenReview['kind'] | 'terms'
  provider: string
  source: string
  reasons: string[]
  openedAt: Instant
  /** The decision to make, in one line. */
  question: string
  /** What would end the doubt, a sentence each. */
  endsBy: string[]
  /** The resources it is about; of very many prices those of the first. */
  resources: string[]
  /** What is missing, or listed in place of a price. */
  texts: string[]
  /** The hash of the snapshot that waits, of an item about a whole list. */
  snapshot?: string
  /** Content hashes of the price rows that a decision is about. */
  rows: string[]
}

/** `all`: also what waits without asking a person, because time ends it. */
export type QueueFilter = Omit<ReviewFilter, 'asks'> & { id?: string; all?: boolean }

/** What operators are sent: the items that have waited a day since the last notice. */
export type ReviewNotice = {
  type: 'review.waiting'
  /** How many items have waited a day, those of earlier notices included. */
  waiting: number
  /** How many of them are new in this notice. */
  notified: number
  /** The oldest of the new ones first; at most 100. */
  items: NoticeItem[]
  command: string
}

/** What operators are sent: the sources that could not be read for a day since the last notice. */
export type SourceNotice = {
  type: 'source.failing'
  /** How many sources could not be read for a day, those of earlier notices included. */
  failing: number
  /** How many of them are new in this notice. */
  notified: number
  /** The new ones that have failed longest first; at most 100. */
  sources: FailingSource[]
  command: string
}

type NoticeItem = Omit<QueueItem, 'id' | 'revision' | 'snapshot' | 'rows' | 'resources' | 'texts'> & {
  reviewId: string
}
