import { asJson } from '../../../src/api/history-format.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import type { HistoryRequest } from '../../../src/prices/history/history-rules.ts'
import { openHistory, readHistory } from '../../../src/prices/history/read-history.ts'

/** Any key: a walk in a test begins and ends with it. */
export const CURSOR_KEY = Buffer.alloc(32, 7)

/** Reads one page through the use cases of the route. Returns the answer's bytes as text. */
export async function readPage(sql: Sql, request: Partial<HistoryRequest> & { asOf: Instant }): Promise<string> {
  const open = await openHistory(sql, { limit: 10_000, after: '', ...request })
  return asJson(await readHistory(sql, CURSOR_KEY, open)).toString()
}

/** Reads the rows of one page. */
export async function readRows<Row>(sql: Sql, request: Partial<HistoryRequest> & { asOf: Instant }): Promise<Row[]> {
  return JSON.parse(await readPage(sql, request)).prices
}
