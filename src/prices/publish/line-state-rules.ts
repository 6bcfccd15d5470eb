import { resourceKey } from '../../catalog/resource-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import type { AbsencePlan, HeldLine, Verdict } from '../plan/schema.ts'
import type { KnownLine } from '../schema.ts'
import type { LineState } from '../store/publication-store.ts'

type Row = { lineId: string; contentHash: string }

/** The state of a line whose row is published. `decidedPrice` has no effect while the source repeats it. */
export const publishedState = ({ lineId, contentHash }: Row, decidedPrice?: string): LineState => ({
  lineId,
  currentHash: contentHash,
  decidedPrice,
  missingCount: 0,
})

/** The state of a line whose new row is held. A removed line is listed again only when that row is approved. */
export const heldState = ({ lineId, contentHash }: Row, verdict: Verdict, known?: KnownLine): LineState => ({
  lineId,
  currentHash: known?.current?.contentHash,
  heldHash: contentHash,
  ...waitState(verdict),
  missingCount: 0,
  removedAt: known?.removedAt,
})

/** The state of a line whose held row is rejected. */
export const rejectedState = ({ lineId, current, removedAt }: KnownLine, decidedPrice: string): LineState => ({
  lineId,
  currentHash: current?.contentHash,
  decidedPrice,
  missingCount: 0,
  removedAt,
})

/** The state of a line that the snapshot confirms as published. */
export const confirmedState = ({ lineId, current, decidedPrice }: KnownLine): LineState => ({
  lineId,
  currentHash: current?.contentHash,
  decidedPrice,
  missingCount: 0,
})

/** The state of a line whose row stays held. */
export const waitingState = ({ line, verdict }: HeldLine): LineState => ({
  ...confirmedState(line),
  heldHash: line.held?.contentHash,
  ...waitState(verdict),
  removedAt: line.removedAt,
})

/**
 * The state of a line that is back with a price that was decided, or that is held and cannot be judged now. It is judged
 * when its source says something else, not at every fetch until then.
 */
export const unjudgedState = (line: KnownLine): LineState => ({
  ...confirmedState(line),
  ...heldAsBefore(line),
  removedAt: line.removedAt,
})

/** Whether an unjudged line has a state to change. */
export const hasUnjudgedState = ({ missingSince, held }: KnownLine): boolean =>
  missingSince !== undefined || held?.judgedAgainAt !== undefined

const waitState = ({ wait, judgedAgainAt }: Pick<Verdict, 'wait'> & { judgedAgainAt?: Instant }) => ({
  heldSince: wait.since,
  heldFetches: wait.fetches,
  judgedAgainAt,
})

const heldAsBefore = ({ held }: KnownLine, judgedAgainAt?: Instant) =>
  held && { heldHash: held.contentHash, ...waitState({ wait: held.wait, judgedAgainAt }) }

/** The state of a line that is absent, again or for the first time. What a person decided about it stays. */
export const absentState = (line: KnownLine, at: Instant, reasonsToAsk?: AbsencePlan['reasonsToAsk']): LineState => ({
  ...confirmedState(line),
  missingSince: line.missingSince ?? at,
  // How many went with it at first decides, not how many are missing later.
  missingReason: line.missingSince ? line.missingReason : reasonsToAsk?.get(resourceKey(line)),
  missingCount: line.missingCount + 1,
})

/** The state of a line that is removed or renamed. */
export const removedState = (line: KnownLine, at: Instant): LineState => ({ ...supersededState(line), removedAt: at })

/** The state of a line that lost its held row and nothing else. */
export const supersededState = (line: KnownLine): LineState =>
  replacedState(line, line.current?.contentHash, line.decidedPrice)

/** The held row that such a line loses, with its status. */
export const supersededRow = ({ held }: KnownLine) => ({
  row: held!,
  status: 'rejected' as const,
  reason: 'superseded',
})

/** The state of a line whose published row a person withdrew or restored. What is held waits as it did. */
export const correctedState = (line: KnownLine, currentHash?: string, decidedPrice?: string): LineState => ({
  ...replacedState(line, currentHash, decidedPrice),
  ...heldAsBefore(line, line.held?.judgedAgainAt),
})

/** The state of a line whose published row a person replaced by a newer one. Nothing older is held any more. */
export const replacedState = (line: KnownLine, currentHash?: string, decidedPrice?: string): LineState => ({
  lineId: line.lineId,
  currentHash,
  decidedPrice,
  missingSince: line.missingSince,
  missingReason: line.missingReason,
  missingCount: line.missingCount,
  removedAt: line.removedAt,
})
