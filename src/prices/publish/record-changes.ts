import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { creditPriced } from '../../catalog/providers/provider-store.ts'
import { recordEvents } from '../../events/store.ts'
import { tally } from '../../lib/collections.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Change, EventFacts } from '../events/change-schema.ts'
import { eventsOf } from '../events/event-rules.ts'
import { findReads } from './find-reads.ts'

export type RecordedChanges = {
  /** The ids of the events that were recorded. */
  ids: string[]
  /** Events recorded, by type. */
  events: Record<string, number>
  /** Changes without an event, by reason. */
  suppressed: Record<string, number>
}

type Snapshot = Partial<Pick<EventFacts, 'isFirstSnapshot' | 'startsQuietly'>>

/** Records the events of changes in the publication that made them; `snapshot` says that it is the first of its source. */
export async function recordChanges(
  tx: Tx,
  stamp: Stamp,
  source: string,
  changes: Change[],
  { isFirstSnapshot = false, startsQuietly = false }: Snapshot = {},
): Promise<RecordedChanges> {
  if (changes.length === 0) return { ids: [], events: {}, suppressed: {} }
  const inCredits = await creditPriced(tx, [...new Set(changes.map(providerOf))])
  const reads = await findReads(tx, changes)
  const facts = { source, isFirstSnapshot, startsQuietly, creditPriced: inCredits, reads }
  const { events, suppressed } = eventsOf(changes, facts)
  const ids = await recordEvents(tx, stamp, events)
  const counts: Record<string, number> = {}
  for (const { type } of events) tally(counts, type)
  return { ids, events: counts, suppressed }
}

function providerOf(change: Change): string {
  if ('provider' in change) return change.provider
  return 'row' in change ? change.row.provider : change.rows[0]!.provider
}
