import { type Instant, plus } from '../../lib/instant.ts'
import {
  type DocumentState,
  GONE_AGAIN,
  type KnownVersion,
  REPLACED,
  RESTLESS_DELAYS,
  RESTLESS_MS,
  RESTLESS_REPLACED,
} from '../schema.ts'
import type { Volatility } from '../volatile/schema.ts'

/**
 * Returns how many confirmation delays a new text has to stay: more than one when the document went back to an earlier
 * text lately. A way back that a volatile place explains is none.
 */
export function confirmationsNeeded({ known }: DocumentState, { places }: Volatility, now: Instant): number {
  if (replacedInARow(known) >= RESTLESS_REPLACED) return 1
  const explained = places.reduce(
    (newest, { volatileSince = '' }) => (volatileSince > newest ? volatileSince : newest),
    '',
  )
  const since = plus(now, -RESTLESS_MS)
  const waysBack = known.filter((version) => version.firstSeenAt >= since && isWayBack(version, explained)).length
  return waysBack === 0 ? 1 : waysBack === 1 ? RESTLESS_DELAYS.afterOne : RESTLESS_DELAYS.afterMore
}

/** An earlier text came back in force, or a text went before it was confirmed. */
const isWayBack = ({ firstSeenAt, recordedAt, returns, reasons }: KnownVersion, explained: string): boolean =>
  recordedAt !== undefined ? returns === true : reasons.includes(GONE_AGAIN) && firstSeenAt > explained

/** Texts, since the one in force, that others replaced before they were confirmed. */
function replacedInARow(known: KnownVersion[]): number {
  const inForce = known.findLastIndex(({ recordedAt }) => recordedAt !== undefined)
  return known.slice(inForce + 1).filter(({ reasons }) => reasons.includes(REPLACED)).length
}
