import { rankFor } from '../../catalog/schema.ts'
import { snapshotFacts } from '../../catalog/snapshots/snapshot-store.ts'
import { sourceFacts } from '../../catalog/sources/source-facts-store.ts'
import type { PriceSource } from '../../events/payloads/parts.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import { currentHash } from '../events/current-rules.ts'
import { snapshotsOfRows } from '../store/read-place-store.ts'

/** Returns where the rows that changes make current were read, by their hash; those whose page is not known are left out. */
export async function findReads(tx: Tx, changes: Change[]): Promise<Map<string, PriceSource>> {
  const hashes = [...new Set(changes.flatMap((change) => currentHash(change) ?? []))]
  const rows = hashes.length === 0 ? [] : await snapshotsOfRows(tx, hashes)
  const snapshots = await snapshotFacts(tx, [...new Set(rows.map(({ snapshotHash }) => snapshotHash))])
  const sources = await sourceFacts(tx, [...new Set(rows.map(({ source }) => source))])
  return new Map(
    rows.flatMap(({ contentHash, provider, source, snapshotHash }) => {
      const { address, readAt } = snapshots.get(snapshotHash) ?? {}
      if (!address || !readAt) return []
      return [[contentHash, { address, at: readAt, rank: rankFor(sources.get(source)!, provider) }]]
    }),
  )
}
