import { readSnapshot, type SnapshotFacts } from '../catalog/snapshots/snapshot-store.ts'
import { readPlace } from '../collectors/places/read-place.ts'
import type { Place } from '../collectors/places/schema.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import type { NoPlace } from './schema.ts'

/** A larger snapshot is not looked through for one reader: it would fill the memory of the process that answers. */
export const MAX_LOOKED_THROUGH = 32 * 1024 * 1024

export type Tools = { sql: Sql; isolation: Isolation }

export type WantedPlace = { snapshotHash?: string; locator?: string; price: string; format: string }

export type FoundPlace = { place: Place } | { noPlace: NoPlace }
export type FindPlace = (wanted: WantedPlace, facts: SnapshotFacts | undefined) => Promise<FoundPlace>

/** Looks up where a snapshot has a price, or says why it cannot be shown. */
export async function findPlace(
  { sql, isolation }: Tools,
  { snapshotHash, locator, price, format }: WantedPlace,
  facts: SnapshotFacts | undefined,
): Promise<FoundPlace> {
  if (snapshotHash === undefined || locator === undefined) return { noPlace: 'no_snapshot' }
  if (!facts) return { noPlace: 'snapshot_deleted' }
  if (facts.size > MAX_LOOKED_THROUGH) return { noPlace: 'too_large' }
  const bytes = await readSnapshot(sql, snapshotHash)
  if (!bytes) return { noPlace: 'snapshot_deleted' }
  const place = await readPlace(isolation, { bytes, format, locator, price })
  return place ? { place } : { noPlace: 'not_found' }
}
