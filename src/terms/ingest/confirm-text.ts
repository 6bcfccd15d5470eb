import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { plus } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Comparison, DocumentReading } from '../read/reading.ts'
import { DOUBTS, type DocumentReport, type DocumentState, type KnownVersion } from '../schema.ts'
import type { Version } from '../store/document-store.ts'
import { hold } from '../store/version-store.ts'
import { DATE_MOVES, dateMovesWithTheDay } from './clock-date-rules.ts'
import type { NearVersion } from './compare-with-earlier.ts'
import { type Decision, isHeld } from './decision-rules.ts'
import { isForOthers, isKnownToSubscribers } from './earlier-texts-rules.ts'
import { type ChangeDescription, prepareChange, recordChange } from './record-change.ts'

/** What follows from a confirmed text, prepared before the publication begins. */
export type PendingWrite = (tx: Tx, stamp: Stamp) => Promise<DocumentReport>

export type ConfirmedText = {
  decision: Extract<Decision, { action: 'confirm' | 'release' }>
  state: DocumentState
  previous: Version
  reading: DocumentReading
  near?: NearVersion
  /** How long a held text has to stay. */
  reviewMs: number
  description: Omit<ChangeDescription, 'returnsTo' | 'doubt'>
}

/**
 * Holds a confirmed text that is in another language or has collapsed, and else records it as a change, with what is
 * unusual about it. A page is put in force without an event when only a date moved that states the day, when it is again what
 * subscribers know, and when a text for other readers is gone again.
 */
export function confirmText(confirmed: ConfirmedText): PendingWrite {
  const { decision, state, previous, reading, description } = confirmed
  const { versionId, firstSeenAt, normalHash, doubtSince } = state.open!
  const doubts = doubtsOf(reading.comparison, reading)
  const repeats = decision.returnsTo?.normalHash === normalHash ? decision.returnsTo : undefined
  // A text that was in force before is not held, however much it differs.
  if (decision.action === 'confirm' && !repeats && isHeld(doubts)) {
    return async (tx) => {
      await hold(tx, versionId, doubts, previous.versionId, doubtSince ?? firstSeenAt)
      return {
        outcome: 'held',
        versionId,
        reason: doubts.join(', '),
        recheckAt: plus(doubtSince ?? firstSeenAt, confirmed.reviewMs),
      }
    }
  }
  const { from, comparison, returnsTo } = changeToAnnounce(confirmed)
  const isAgain = repeats !== undefined && (isKnownToSubscribers(repeats, state) || isForOthers(state.current))
  const isClock =
    comparison.classification === 'dates' &&
    dateMovesWithTheDay(previous, { ...datesOf(reading), firstSeenAt }, comparison.datesMoved)
  const said: Comparison = isAgain || isClock ? { ...comparison, classification: 'cosmetic' } : comparison
  const change = prepareChange(from, { ...reading, versionId }, said, { ...description, returnsTo, doubt: doubts })
  const because = [...doubts, ...(isClock ? [DATE_MOVES] : [])]
  return (tx, stamp) => recordChange(tx, stamp, change, because)
}

/** Records what lasts of a change, as the text with which it came. */
export function confirmPart(
  { versionId }: KnownVersion,
  { previous, reading, description }: Pick<ConfirmedText, 'previous' | 'reading' | 'description'>,
): PendingWrite {
  const doubt = doubtsOf(reading.lasting, reading)
  const change = prepareChange(previous, { ...reading, versionId }, reading.lasting!, { ...description, doubt })
  return (tx, stamp) => recordChange(tx, stamp, change, doubt)
}

const doubtsOf = (comparison: Comparison | undefined, { isFallback }: DocumentReading): string[] => [
  ...(comparison?.doubts ?? []),
  ...(isFallback ? [DOUBTS.fallback] : []),
]

const datesOf = ({ effectiveDate, updatedDate }: DocumentReading) => ({ effectiveDate, updatedDate })

/**
 * Which text a change is compared with. A page that returned to what subscribers know, or that goes back and forth, is
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
