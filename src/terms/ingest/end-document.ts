import type { Sql } from '../../lib/sql.ts'
import { expireOpen } from '../store/version-store.ts'

/** Closes what of a document waits, because its source ended. Its texts stay. */
export const endDocument = (sql: Sql, source: string): Promise<void> =>
  expireOpen(sql, source, 'its source is no longer declared')
