import { readSnapshot } from '../../catalog/snapshot-store.ts'
import { SECOND } from '../../lib/instant.ts'
import { LimitExceeded } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask } from '../../lib/isolation/task.ts'
import type { Sql } from '../../lib/sql.ts'
import { type Neighbour, neighboursOf } from '../store/neighbour-store.ts'
import { type StoredRow, storedRows } from '../store/row-store.ts'

const place = defineTask<typeof import('./snapshot-place.task.ts').snapshotPlace>(
  import.meta.url,
  './snapshot-place.task',
  'snapshotPlace',
)
const LIMITS = { cpuMs: 10 * SECOND, timeoutMs: 60 * SECOND, maxMemoryMb: 2_048, maxResultMb: 1 }
const MAX_NEIGHBOURS = 20

/** What a person looks at before deciding about a price, beside the price itself. */
export type HeldRowDetails = {
  row: StoredRow
  /** Published prices of the same resource, and of the same model at other sellers. */
  neighbours: Neighbour[]
  /** What the snapshot says around the price. */
  excerpt?: string
}

/** Returns a recorded price with its neighbours and its place in the snapshot; undefined when there is no such row. */
export async function describeHeldRow(
  { sql, isolation }: { sql: Sql; isolation: Isolation },
  contentHash: string,
): Promise<HeldRowDetails | undefined> {
  const [row] = await storedRows(sql, [contentHash])
  if (!row) return undefined
  const neighbours = await neighboursOf(sql, contentHash, MAX_NEIGHBOURS)
  const bytes = row.snapshotHash && row.locator ? await readSnapshot(sql, row.snapshotHash) : undefined
  const excerpt = bytes && (await readPlace(isolation, bytes, row.locator!))
  return { row, neighbours, ...(excerpt && { excerpt }) }
}

async function readPlace(isolation: Isolation, bytes: Uint8Array, locator: string): Promise<string | undefined> {
  try {
    return await isolation.run(place, { bytes, locator }, LIMITS)
  } catch (error) {
    if (error instanceof LimitExceeded) return undefined
    throw error
  }
}
