import { type Instant, plus } from '../../lib/instant.ts'
import {
  CONFIRMATION_MS,
  DOCUMENT_INTERVAL_MS,
  DOUBT_ENDS_MS,
  RETURN_STANDS_MAX_MS,
  RETURN_STANDS_MS,
} from '../schema.ts'

/** How long a new text has to stand, and one that returns: shorter where a source is polled faster than politeness. */
export type Patience = { confirmMs: number; returnMs: number; doubtMs: number }

/**
 * A source asked every six hours or less often waits a day; one asked more often (a feed of one's own) is confirmed by
 * its second fetch. `confirmSeconds` in the declaration decides for both.
 */
export function patienceOf(intervalMs: number, confirmSeconds?: number): Patience {
  const polite = intervalMs >= DOCUMENT_INTERVAL_MS
  const confirmMs = confirmSeconds === undefined ? (polite ? CONFIRMATION_MS : 0) : confirmSeconds * 1000
  return { confirmMs, returnMs: Math.max(confirmMs, RETURN_STANDS_MS), doubtMs: Math.max(confirmMs, DOUBT_ENDS_MS) }
}

export type Known = { versionId: string; status: string; normalHash: string; recordedAt?: Instant }
export type Open = {
  versionId: string
  status: 'candidate' | 'held'
  normalHash: string
  firstSeenAt: Instant
  heldAt?: Instant
}

/** What is known of a document when a text arrives. `known` holds its versions, oldest first. */
export type DocumentState = { current?: Known; open?: Open; known: Known[]; returnsTold: number }

export type Decision =
  | { do: 'record first' }
  | { do: 'nothing'; because: 'unchanged' | 'rejected before'; lapses?: Open }
  | { do: 'open'; confirmAt: Instant; returnsTo?: Known; lapses?: Open }
  | { do: 'wait'; confirmAt: Instant; returnsTo?: Known }
  | { do: 'confirm'; returnsTo?: Known }
  | { do: 'keep holding'; endsAt: Instant }
  | { do: 'end doubt'; returnsTo?: Known }

/** What to do with a text that is a document and whose normal form is `normalHash`, fetched at `now`. */
export function decide(state: DocumentState, normalHash: string, now: Instant, patience: Patience): Decision {
  const { current, open, known } = state
  if (!current) return { do: 'record first' }
  const lapses = open && open.normalHash !== normalHash ? open : undefined
  if (current.normalHash === normalHash) return { do: 'nothing', because: 'unchanged', lapses }
  const seen = known.filter((version) => version.normalHash === normalHash)
  if (seen.some((version) => version.status === 'rejected'))
    return { do: 'nothing', because: 'rejected before', lapses }
  const returnsTo = seen.findLast((version) => version.recordedAt !== undefined)
  const stands = returnsTo ? returnPatience(patience, state.returnsTold) : patience.confirmMs
  if (!open || lapses) return { do: 'open', confirmAt: plus(now, stands), returnsTo, lapses }
  if (open.status === 'held') {
    const endsAt = plus(open.heldAt ?? open.firstSeenAt, patience.doubtMs)
    return now >= endsAt ? { do: 'end doubt', returnsTo } : { do: 'keep holding', endsAt }
  }
  const confirmAt = plus(open.firstSeenAt, stands)
  return now >= confirmAt ? { do: 'confirm', returnsTo } : { do: 'wait', confirmAt, returnsTo }
}

/** A page that goes back and forth is believed less each time. */
function returnPatience(patience: Patience, returnsTold: number): number {
  return Math.min(patience.returnMs * 2 ** Math.min(returnsTold, 10), Math.max(patience.returnMs, RETURN_STANDS_MAX_MS))
}
