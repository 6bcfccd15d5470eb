import type { Sql } from '../../lib/sql.ts'
import { type Neighbour, neighboursOf } from '../store/neighbour-store.ts'
import { type StoredRow, storedRows } from '../store/row-store.ts'

const MAX_NEIGHBOURS = 20

/** What a person looks at before deciding about a price, beside the price itself. */
export type HeldRowDetails = {
  row: StoredRow
  /** Published prices of the same resource, and of the same model at other sellers. */
  neighbours: Neighbour[]
}

/** Returns a recorded price with its neighbours; undefined when there is no such row. */
export async function describeHeldRow(sql: Sql, contentHash: string): Promise<HeldRowDetails | undefined> {
  const [row] = await storedRows(sql, [contentHash])
  if (!row) return undefined
  return { row, neighbours: await neighboursOf(sql, contentHash, MAX_NEIGHBOURS) }
}
