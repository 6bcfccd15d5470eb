import { LRUCache } from 'lru-cache'
import { SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { HistoryRequest } from './history-rules.ts'
import { type OpenHistory, openHistory } from './read-history.ts'
import { assertReadable, type HistoryScope } from './scope-rules.ts'

/** Only a restore from a backup changes what an instant refers to. It is noticed this late at most. */
const REMEMBERED_MS = 2 * SECOND
const MAX_REMEMBERED = 1_000

/**
 * Returns a function that opens a page. What the providers were at a closed instant is remembered for a moment, so that
 * the pages of a walk, and those that many ask for, need no statement for it. Groups are looked up each time.
 */
export function createScopeMemory(sql: Sql): (request: HistoryRequest) => Promise<OpenHistory> {
  const scopes = new LRUCache<string, HistoryScope>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS })
  return async (request) => {
    const { asOf, alias, providers, since, timeline } = request
    if (asOf === undefined || alias) return openHistory(sql, request)
    const name = [asOf, since, timeline, ...(providers ?? ['*'])].join(' ')
    const scope = scopes.get(name)
    if (scope) {
      assertReadable(request, scope)
      return { request, scope }
    }
    const open = await openHistory(sql, request)
    scopes.set(name, open.scope)
    return open
  }
}
