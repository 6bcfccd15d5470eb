import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import { beginTimeline, bindTimeline, currentTimeline } from './timeline-store.ts'

/** The stamp of a database in which nothing was ever published or read. */
const NOTHING_STAMPED = '0001-01-01T00:00:00.000Z'

/**
 * Begins a new timeline when this is not the database that the history was recorded in: it was restored from a backup.
 * Under the clock's lock, before anything is stamped: `lastStamp` is the end of the history that was restored.
 */
export async function keepTimeline(tx: Tx, lastStamp: Instant): Promise<void> {
  const timeline = await currentTimeline(tx)
  if (timeline.fingerprint === timeline.here) return
  if (timeline.fingerprint === undefined || lastStamp === NOTHING_STAMPED) return bindTimeline(tx, timeline)
  await beginTimeline(tx, 'the database was restored', lastStamp)
}
