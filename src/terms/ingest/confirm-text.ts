import type { Stamp } from '../../catalog/clock-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { isOtherEdition } from '../compare/review-reasons-rules.ts'
import type { Comparison, DocumentReading } from '../read/reading.ts'
import type { DocumentReport, DocumentState } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import { hold } from '../store/version-store.ts'
import { DATE_MOVES, dateMovesWithTheDay } from './clock-date-rules.ts'
import type { NearVersion } from './compare-with-earlier.ts'
import type { Decision } from './decision-rules.ts'
import { isKnownToSubscribers } from './earlier-texts-rules.ts'
import { type ChangeDescription, prepareChange, recordChange } from './record-change.ts'

/** What follows from a confirmed text, prepared before the publication begins. */
export type PendingWrite = (tx: Tx, stamp: Stamp) => Promise<DocumentReport>

export type ConfirmedText = {
  decision: Extract<Decision, { action: 'confirm' | 'release' }>
  state: DocumentState
  previous: Version
  reading: DocumentReading
  near?: NearVersion
  description: Omit<ChangeDescription, 'returnsTo'>
}

/**
 * Holds a confirmed text when something about it needs a person, and else records it as a change. A page that nobody
 * reviewed and that stays in another language, or in the other kind of English, is put in force without an event: it is
 * another edition of the same document. So is one of which only a date moved that states the day, and one that is again
 * what subscribers know.
 */
export function confirmText(confirmed: ConfirmedText): PendingWrite {
  const { decision, state, previous, reading, description } = confirmed
  const { versionId, firstSeenAt, normalHash, doubtSince } = state.open!
  const { reviewReasons } = reading.comparison!
  const repeats = decision.returnsTo?.normalHash === normalHash ? decision.returnsTo : undefined
  // A text that was in force before needs no review, however much it differs.
  const reasons = decision.action === 'release' || repeats ? [] : reviewReasons
  if (reasons.length > 0) {
    return async (tx, stamp) => {
      await hold(tx, versionId, reasons, previous.versionId, doubtSince ?? stamp.at)
      return { outcome: 'held', versionId, reason: reasons.join(', ') }
    }
  }
  const { from, comparison, returnsTo } = changeToAnnounce(confirmed)
  const isOther = isOtherEdition(reviewReasons)
  const isAgain = repeats !== undefined && isKnownToSubscribers(repeats, state)
  const isClock =
    comparison.classification === 'dates' &&
    dateMovesWithTheDay(previous, { ...datesOf(reading), firstSeenAt }, comparison.datesMoved)
  const said: Comparison = isOther || isAgain || isClock ? { ...comparison, classification: 'cosmetic' } : comparison
  const change = prepareChange(from, { ...reading, versionId }, said, { ...description, returnsTo })
  const because = [...(decision.action === 'release' ? ['stood unreviewed'] : []), ...(isClock ? [DATE_MOVES] : [])]
  return (tx, stamp) => recordChange(tx, stamp, change, because)
}

const datesOf = ({ effectiveDate, updatedDate }: DocumentReading) => ({ effectiveDate, updatedDate })

/**
 * Which text a change is compared with. A page that went back to what subscribers know, or that goes back and forth, is
 * compared with the earlier text that it nearly is: they were notified of the rest before.
 */
function changeToAnnounce({ decision, state, previous, reading, near }: ConfirmedText) {
  const returnsTo = decision.returnsTo?.versionId
  const inForce = { from: previous, comparison: reading.comparison!, returnsTo }
  if (!near) return inForce
  const { version: from, comparison } = near
  if (isKnownToSubscribers(near.known, state)) return { from, comparison, returnsTo }
  return state.returnsPublished > 0 && comparison.classification !== 'cosmetic'
    ? { from, comparison, returnsTo }
    : inForce
}
