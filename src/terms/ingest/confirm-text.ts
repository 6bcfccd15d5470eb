import type { Stamp } from '../../catalog/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { isOtherEdition } from '../compare/review-reasons-rules.ts'
import type { Comparison, DocumentReading } from '../read/reading.ts'
import type { DocumentReport, OpenVersion } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import { hold } from '../store/version-store.ts'
import { DATE_MOVES, dateMovesWithTheDay } from './clock-date-rules.ts'
import type { Decision } from './decision-rules.ts'
import { type ChangeDescription, prepareChange, recordChange } from './record-change.ts'

/** What follows from a confirmed text, prepared before the publication begins. */
export type PendingWrite = (tx: Tx, stamp: Stamp) => Promise<DocumentReport>

export type ConfirmedText = {
  decision: Extract<Decision, { action: 'confirm' | 'release' }>
  open: OpenVersion
  previous: Version
  reading: DocumentReading
  description: Omit<ChangeDescription, 'returnsTo'>
}

/**
 * Holds a confirmed text when something about it needs a person, and else records it as a change. A page that nobody
 * reviewed and that stays in another language, or in the other kind of English, is put in force without an event: it is
 * another edition of the same document. So is one of which only a date moved that states the day.
 */
export function confirmText({ decision, open, previous, reading, description }: ConfirmedText): PendingWrite {
  const { versionId, doubtSince } = open
  const comparison = reading.comparison!
  // A text that was in force before needs no review, however much it differs.
  const reasons = decision.action === 'release' || decision.returnsTo ? [] : comparison.reviewReasons
  if (reasons.length > 0) {
    return async (tx, stamp) => {
      await hold(tx, versionId, reasons, previous.versionId, doubtSince ?? stamp.at)
      return { outcome: 'held', versionId, reason: reasons.join(', ') }
    }
  }
  const returnsTo = decision.returnsTo?.versionId
  const isOther = reasons.length === 0 && isOtherEdition(comparison.reviewReasons)
  const { effectiveDate, updatedDate } = reading
  const isClock =
    comparison.classification === 'dates' &&
    dateMovesWithTheDay(previous, { firstSeenAt: open.firstSeenAt, effectiveDate, updatedDate })
  const said: Comparison = isOther || isClock ? { ...comparison, classification: 'cosmetic' } : comparison
  const change = prepareChange(previous, { ...reading, versionId }, said, { ...description, returnsTo })
  const because = [...(decision.action === 'release' ? ['stood unreviewed'] : []), ...(isClock ? [DATE_MOVES] : [])]
  return (tx, stamp) => recordChange(tx, stamp, change, because)
}
