import { publishing } from '../catalog/clock/clock-store.ts'
import { recordGoodFetch } from '../catalog/snapshots/good-fetch-store.ts'
import { type FetchRecord, recordOutcome } from '../catalog/sources/source-store.ts'
import type { Sql } from '../lib/sql.ts'
import { settleFetched } from '../prices/confirmation/settle-confirmations.ts'

/**
 * Records the outcome of a collection. One that confirms prices is a publication: answers say when a price was confirmed
 * last, and nothing may be recorded at an instant that was read. Returns false when the claim was lost.
 * @throws AppError `unavailable` while the clock is ahead of the time
 */
export function recordFetch(sql: Sql, record: FetchRecord): Promise<boolean> {
  if (!record.confirmed) return sql.begin((tx) => recordOutcome(tx, record)) as Promise<boolean>
  return publishing(sql, async (tx, stamp) => {
    const recorded = await recordOutcome(tx, record)
    if (recorded && (await recordGoodFetch(tx, record.source, stamp.at))) await settleFetched(tx, stamp, record.source)
    return recorded
  })
}
