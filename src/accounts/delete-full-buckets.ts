import type { Sql } from '../lib/sql.ts'
import { forgetFullBuckets } from './rate-limit-store.ts'

/** Deletes the rate-limit buckets that are full again. Returns how many. */
export const deleteFullBuckets = (sql: Sql): Promise<number> => forgetFullBuckets(sql)
