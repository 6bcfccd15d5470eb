import type { Sql } from '../../lib/sql.ts'
import { forgetFullBuckets } from './rate-limit-store.ts'

/** Deletes rate-limit buckets that are full again, at most `limit` at once. Returns how many. */
export const deleteFullBuckets = (sql: Sql, limit: number): Promise<number> => forgetFullBuckets(sql, limit)
