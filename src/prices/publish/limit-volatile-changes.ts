import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { type Instant, instantOf, plus, SECOND } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import {
  noteAnnounced,
  recordAnnounced,
  rememberAnnounced,
  type UnannouncedPrice,
  unannouncedLines,
} from '../store/announced-store.ts'

type PriceChange = Extract<Change, { kind: 'priceChanged' }>

/** The changes of a publication that are sent, and how many are not. */
type SentChanges = { changes: Change[]; suppressed: number }

/**
 * Limits the events of a source's volatile lines: each has an event at most once in its interval, and only when its
 * price differs enough from the one that subscribers know. A suppressed change is sent later, when it still
 * differs. The history holds every price.
 */
export async function limitVolatileChanges(
  tx: Tx,
  stamp: Stamp,
  { source, volatile }: SourceDeclaration,
  changes: Change[],
): Promise<SentChanges> {
  if (!volatile) return { changes, suppressed: 0 }
  const isVolatile = (change: Change): change is PriceChange =>
    change.kind === 'priceChanged' && volatile.services.includes(serviceOf(change.row.pricingTier))
  const moved = changes.filter(isVolatile)
  // That a line begins is never suppressed.
  await noteAnnounced(tx, stamp.at, begunRows(changes))
  await rememberAnnounced(
    tx,
    moved.map(({ before }) => before.contentHash),
  )
  const due = await unannouncedLines(tx, source, {
    before: plus(stamp.at, -volatile.minIntervalSeconds * SECOND),
    leastChange: volatile.minChangePercent / 100,
  })
  await recordAnnounced(tx, stamp.at, due)
  const sent = new Set(due.map(({ current }) => current.contentHash))
  return {
    changes: [...changes.filter((change) => !isVolatile(change)), ...due.map(changeOf)],
    suppressed: moved.filter(({ row }) => !sent.has(row.contentHash)).length,
  }
}

const begunRows = (changes: Change[]): string[] =>
  changes.flatMap((change) => (change.kind === 'lineAdded' ? [change.row.contentHash] : []))

const serviceOf = (pricingTier: string): string => (JSON.parse(pricingTier) as { service?: string }).service ?? ''

function changeOf({ line, current, announced }: UnannouncedPrice): PriceChange {
  return { kind: 'priceChanged', row: { ...line, ...present(current) }, before: present(announced) }
}

/** What the database has as JSON, as a row has it: without nulls, and with instants as they travel. */
function present<T extends { recordedAt: Instant }>(row: T): T {
  const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T
  return { ...known, recordedAt: instantOf(Date.parse(row.recordedAt)) }
}
