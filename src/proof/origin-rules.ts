import type { Timeline } from './changes-store.ts'
import type { LogState } from './log-store.ts'
import type { LogOrigin } from './schema.ts'

/** Where the log is served. */
export const LOG_PATH = '/v1/log'
/** Digits of a timeline's id that tell its tiles and its origin from those before. */
const TIMELINE_DIGITS = 8

/** What decides how the log is called. */
export type LogNames = { logOrigin?: string; publicUrl?: string }

/** Returns the end of the path and origin of a timeline; the first timeline of an installation has none. */
const timelinePath = ({ id, isFirst }: Timeline): string => (isFirst ? '' : `/${id.slice(-TIMELINE_DIGITS)}`)

/**
 * Returns the origin without the part of its timeline: what is set, else what it was called before, else its address, else
 * the id of the installation. A change of address alone renames nothing.
 */
function baseOf({ logOrigin, publicUrl }: LogNames, current: LogOrigin | undefined, installation: string): string {
  if (logOrigin !== undefined) return logOrigin
  if (current) return current.path === '' ? current.origin : current.origin.slice(0, -current.path.length)
  return publicUrl === undefined ? `pricetape/${installation}` : `${new URL(publicUrl).host}${LOG_PATH}`
}

/** Returns the origin that the log goes on under; undefined while it keeps the one it has. */
export function nextOrigin(given: {
  names: LogNames
  installation: string
  state: Pick<LogState, 'size' | 'timeline'>
  timeline: Timeline
  current: LogOrigin | undefined
}): Omit<LogOrigin, 'lastSize' | 'since'> | undefined {
  const { names, installation, state, timeline, current } = given
  const path = timelinePath(timeline)
  const origin = baseOf(names, current, installation) + path
  const isRestored = current !== undefined && state.timeline !== timeline.id
  if (current && !isRestored && origin === current.origin) return undefined
  return {
    origin,
    path,
    reason: current === undefined ? 'installed' : isRestored ? 'restored' : 'renamed',
    firstSize: state.size,
    lostAfter: isRestored ? timeline.lostAfter : null,
    lostUntil: isRestored ? timeline.lostUntil : null,
  }
}
