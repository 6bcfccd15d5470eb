import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { shardsWithDue } from './shard-store.ts'

/** The shards of a round that have something to do, of how many. */
export type DueShards = { shards: number[]; of: number }

/** Returns which shards of a round have something due. */
export const findDueShards = async (sql: Sql, now: Instant, of: number): Promise<DueShards> => ({
  shards: await shardsWithDue(sql, now, of),
  of,
})
