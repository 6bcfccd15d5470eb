import type { Stamp } from '../../catalog/clock/clock-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import type { Upcoming } from './schema.ts'
import { isUnchanged, type UpcomingChange, upcomingDifference } from './upcoming-rules.ts'
import { decidedUpcoming, endUpcoming, insertUpcoming, openUpcoming, repeatUpcoming } from './upcoming-store.ts'

/** What a snapshot announces, and where it was read. */
export type Announcing = {
  source: string
  table: string
  upcoming: Upcoming[]
  snapshotHash: string
  parserVersion: number
  /** A newer parser reads the same snapshot: that is not another fetch. */
  reread: boolean
}

async function differenceOf(db: Db, { source, table, upcoming, reread }: Announcing, at: Instant) {
  const decided = await decidedUpcoming(db, source, upcoming, at)
  const open = await openUpcoming(db, source, { table, lines: decided })
  // A snapshot from before their day says nothing about those whose day has come: the next reading does.
  const compared = reread ? open.filter(({ beginsAt }) => beginsAt > at) : open
  return upcomingDifference(source, decided, compared)
}

/** Returns whether a snapshot announces something else than was announced before. */
export const announcesNews = async (db: Db, announcing: Announcing, now: Instant): Promise<boolean> =>
  !isUnchanged(await differenceOf(db, announcing, now))

/** Records in a publication what its source announces now, and ends what it announces no longer. Returns what changed. */
export async function settleUpcoming(tx: Tx, stamp: Stamp, announcing: Announcing): Promise<Change[]> {
  const { source, reread } = announcing
  const { begin, end, changes } = await differenceOf(tx, announcing, stamp.at)
  await endUpcoming(tx, stamp.at, end)
  await insertUpcoming(tx, stamp.at, announcing, begin)
  if (!reread) await repeatUpcoming(tx, source, stamp.at, 1)
  return changes.map(changeOf)
}

/** Ends what a source announces in the publication that ends the source. Returns what changed. */
export async function withdrawUpcoming(tx: Tx, stamp: Stamp, source: string): Promise<Change[]> {
  const { end, changes } = upcomingDifference(source, [], await openUpcoming(tx, source, { lines: [] }))
  await endUpcoming(tx, stamp.at, end)
  return changes.map(changeOf)
}

const changeOf = ({ action, line, announced, replaces }: UpcomingChange): Change => {
  const { provider, resource, dimension, unit, currency, pricingTier, canonicalResource, current } = line
  const row = { provider, resource, dimension, unit, currency, pricingTier, canonicalResource }
  return { kind: 'priceAnnounced', action, row, current, announced, replaces }
}
