import { earliest, type Instant, plus } from '../../lib/instant.ts'
import {
  CONFIRMATION_MS,
  DOCUMENT_INTERVAL_MS,
  DOUBTS,
  type DocumentState,
  HOLDING,
  KNOWN_RETURN_DELAY_MS,
  type KnownVersion,
  LOOKS_LIKE,
  MAX_RETURN_DELAY_MS,
  type OpenVersion,
  RETURN_DELAY_MS,
  REVIEW_EXPIRES_MS,
} from '../schema.ts'
import { isForOthers, isKnownToSubscribers } from './earlier-texts-rules.ts'

/**
 * How long a new text has to stay, an earlier one that returns, one that returns with something new, and a held one that
 * no one reviews.
 */
export type ConfirmationDelays = { confirmMs: number; returnMs: number; knownMs: number; reviewMs: number }

/**
 * A source fetched every six hours or less often waits a day; one fetched more often (a feed of one's own) is confirmed
 * by its second fetch. `confirmSeconds` in the declaration decides for both.
 */
export function confirmationDelays(intervalMs: number, confirmSeconds?: number): ConfirmationDelays {
  const byInterval = intervalMs >= DOCUMENT_INTERVAL_MS ? CONFIRMATION_MS : 0
  const confirmMs = confirmSeconds === undefined ? byInterval : confirmSeconds * 1000
  return {
    confirmMs,
    returnMs: Math.max(confirmMs, RETURN_DELAY_MS),
    knownMs: Math.max(confirmMs, KNOWN_RETURN_DELAY_MS),
    reviewMs: Math.max(confirmMs, REVIEW_EXPIRES_MS),
  }
}

/** What to do with a text. `expired` is the open version it replaces; `returnsTo` the earlier one it repeats, or nearly repeats. */
export type Decision =
  | { action: 'introduce'; expired?: OpenVersion }
  | { action: 'ignore'; because: 'unchanged' | 'rejected before'; expired?: OpenVersion }
  | {
      action: 'open'
      confirmAt: Instant
      returnsTo?: KnownVersion
      expired?: OpenVersion
      doubtSince?: Instant
      /** The text with which a change came that lasts: other parts of the page differed since. */
      lastsSince?: string
    }
  | { action: 'confirm part'; version: KnownVersion; expired?: OpenVersion }
  | { action: 'wait'; confirmAt: Instant; returnsTo?: KnownVersion }
  | { action: 'confirm'; returnsTo?: KnownVersion }
  | { action: 'keep holding'; endsAt: Instant }
  | { action: 'release'; returnsTo?: KnownVersion }

type ArrivedText = {
  normalHash: string
  /** What is unusual about it beside the text in force. */
  doubts: string[]
  /** The earlier text that it nearly is, where subscribers heard of another one since. */
  near?: KnownVersion
  /** What is unusual about the part of the change that came with {@link cameWith}, where it is in this text too. */
  lasting?: string[]
}

/** What to do with a text that is a document, fetched at `now`. */
export function decide(state: DocumentState, text: ArrivedText, now: Instant, delays: ConfirmationDelays): Decision {
  const { normalHash, near } = text
  const holding = text.doubts.filter(holds)
  const { current, open, known } = state
  if (!current) return { action: 'introduce', ...(open && { expired: open }) }
  const expired = open && open.normalHash !== normalHash ? open : undefined
  if (current.normalHash === normalHash) return { action: 'ignore', because: 'unchanged', expired }
  const same = known.filter((version) => version.normalHash === normalHash)
  if (same.some((version) => version.status === 'rejected'))
    return { action: 'ignore', because: 'rejected before', expired }
  const returnsTo = same.findLast((version) => version.recordedAt !== undefined) ?? near
  const delayMs = delayOf(text, returnsTo, state, delays)
  if (!open || expired) {
    const doubtSince = open && doubtOf(open, holding)
    const came = expired && text.lasting ? cameWith(state) : undefined
    const partAt =
      came && plus(came.firstSeenAt, partDelayOf(text, came.returns || returnsTo !== undefined, state, delays))
    if (came && partAt && now >= partAt)
      return {
        action: 'confirm part',
        version: came,
        expired: came.versionId === expired?.versionId ? undefined : expired,
      }
    const whole = plus(now, delayMs)
    const confirmAt = partAt ? earliest(whole, partAt) : whole
    return { action: 'open', confirmAt, returnsTo, expired, doubtSince, lastsSince: came?.versionId }
  }
  if (open.status === 'held' && !isReadable(open)) {
    const endsAt = plus(open.doubtSince ?? open.firstSeenAt, delays.reviewMs)
    return now >= endsAt ? { action: 'release', returnsTo } : { action: 'keep holding', endsAt }
  }
  const confirmAt = plus(open.firstSeenAt, delayMs)
  if (now < confirmAt) return { action: 'wait', confirmAt, returnsTo }
  const isOver = open.doubtSince !== undefined && now >= plus(open.doubtSince, delays.reviewMs)
  return { action: isOver ? 'release' : 'confirm', returnsTo }
}

/** Whether a text was held for what it looked like alone. It arrived as a document since: its selectors are right again. */
const isReadable = ({ reasons }: OpenVersion): boolean =>
  reasons.length > 0 && reasons.every((reason) => reason.startsWith(LOOKS_LIKE))

/**
 * Returns the text with which the change came that waits: the text that waits, or one that it replaced and of which a part
 * lasts.
 */
export function cameWith({ open, known }: DocumentState): KnownVersion | undefined {
  if (open?.status !== 'candidate') return undefined
  return known.find(({ versionId }) => versionId === (open.lastsSince ?? open.versionId))
}

/** Returns since when the document has been in doubt for a reason that the arrived text still gives. */
function doubtOf(open: OpenVersion, holding: string[]): Instant | undefined {
  if (!open.reasons.some((reason) => holding.includes(reason)) && !open.doubtSince) return undefined
  return holding.length > 0 ? (open.doubtSince ?? open.firstSeenAt) : undefined
}

/**
 * A page that goes back and forth is trusted less each time, and so is one for another region: most are gone within two
 * weeks. One that says something new beside what came back, or that is again what subscribers know, waits for a few days only.
 */
function delayOf(
  { normalHash, doubts }: ArrivedText,
  returnsTo: KnownVersion | undefined,
  state: DocumentState,
  delays: ConfirmationDelays,
): number {
  if (returnsTo?.normalHash !== normalHash) {
    if (doubts.includes(DOUBTS.region)) return returnDelay(state, delays)
    return returnsTo ? delays.knownMs : delays.confirmMs
  }
  return isKnownToSubscribers(returnsTo, state) ? delays.knownMs : returnDelay(state, delays)
}

const returnDelay = (
  { current, returnsPublished }: DocumentState,
  { knownMs, returnMs }: ConfirmationDelays,
): number =>
  isForOthers(current) ? knownMs : Math.min(returnMs * 4 ** returnsPublished, Math.max(returnMs, MAX_RETURN_DELAY_MS))

/**
 * A part that comes back, or is for another region, waits like such a page. One that holds a page waits until its review would
 * have expired.
 */
function partDelayOf(
  { lasting = [] }: ArrivedText,
  returns: boolean,
  state: DocumentState,
  delays: ConfirmationDelays,
): number {
  const ownMs = isHeld(lasting) ? delays.reviewMs : delays.confirmMs
  return returns || lasting.includes(DOUBTS.region) ? Math.max(ownMs, returnDelay(state, delays)) : ownMs
}

const holds = (doubt: string): boolean => HOLDING.includes(doubt)

/** Whether one of these doubts holds a text. */
export const isHeld = (doubts: string[]): boolean => doubts.some(holds)
