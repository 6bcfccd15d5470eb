import type { Sql } from '../lib/sql.ts'
import type { WatchView } from './schema.ts'
import { watchesOf } from './watch-store.ts'

/** The watches of an account, the newest first. */
export const listWatches = (sql: Sql, accountId: string): Promise<WatchView[]> => watchesOf(sql, accountId)
