import { closeInstant } from '../../catalog/close-instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type HistoryRequest, historyCursor } from './history-rules.ts'
import { type HistoryPage, historyPage, historyScope, type ScopeRequest } from './history-store.ts'
import { assertReadable, type HistoryScope, rowFilters } from './scope-rules.ts'

/**
 * Reads one page of the price history. Returns the body of the answer: the rows are JSON text already.
 * @throws AppError as_of_too_recent, invalid_query, alias_not_found, alias_changed; unavailable while the instant cannot
 * be closed
 */
export async function readHistory(sql: Sql, cursorKey: Uint8Array, request: HistoryRequest): Promise<Buffer> {
  const scope = await openScope(sql, request)
  const page = await historyPage(sql, { ...request, asOf: scope.asOf, filters: rowFilters(request, scope) })
  return historyBody(cursorKey, request, scope, page)
}

/**
 * Looks up what a request refers to at an instant that is closed, so that the answer never changes. The instant is
 * closed before anything of the answer is read: which providers were active then is part of it.
 */
async function openScope(sql: Sql, request: HistoryRequest): Promise<HistoryScope> {
  const references: ScopeRequest = {
    asOf: request.asOf,
    providers: request.providers ?? [],
    alias: request.alias?.reference,
  }
  const scope = await historyScope(sql, references)
  assertReadable(request, scope)
  if (scope.closed) return scope
  await closeInstant(sql, scope.asOf)
  const closedScope = await historyScope(sql, { ...references, asOf: scope.asOf })
  assertReadable(request, closedScope)
  return closedScope
}

function historyBody(
  cursorKey: Uint8Array,
  request: HistoryRequest,
  { asOf, group }: HistoryScope,
  { prices, next }: HistoryPage,
): Buffer {
  const alias = group && { id: group.id, name: group.name, revision: group.revision }
  const nextCursor =
    next === undefined ? null : historyCursor(cursorKey, { asOf, after: next, providers: request.providers, alias })
  const head = JSON.stringify({ asOf, nextCursor, alias, members: group?.members })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"prices":[`), prices, Buffer.from(']}')])
}
