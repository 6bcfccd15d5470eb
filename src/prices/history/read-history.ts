import { closeInstant } from '../../catalog/close-instant.ts'
import type { Json } from '../../lib/canonical-json.ts'
import type { Sql } from '../../lib/sql.ts'
import { type HistoryAnswer, type HistoryRequest, historyCursor } from './history-rules.ts'
import { historyPage, historyScope, type ScopeRequest } from './history-store.ts'
import { assertReadable, type HistoryScope, rowScope } from './scope-rules.ts'

/** A request with everything it refers to, at a closed instant: what it reads never changes any more. */
export type OpenHistory = { request: HistoryRequest; scope: HistoryScope }

/**
 * Looks up what a request refers to at an instant that is closed. The instant is closed before anything of the answer is
 * read: which providers were active then is part of it.
 * @throws AppError as_of_too_recent, invalid_query, alias_not_found, alias_changed; unavailable while the instant cannot
 * be closed
 */
export async function openHistory(sql: Sql, request: HistoryRequest): Promise<OpenHistory> {
  const references: ScopeRequest = {
    asOf: request.asOf,
    providers: request.providers ?? [],
    alias: request.alias?.reference,
  }
  const scope = await historyScope(sql, references)
  assertReadable(request, scope)
  if (scope.closed) return { request, scope }
  await closeInstant(sql, scope.asOf)
  const closedScope = await historyScope(sql, { ...references, asOf: scope.asOf })
  assertReadable(request, closedScope)
  return { request, scope: closedScope }
}

/** Returns everything that decides which rows a page has: pages with equal identities are the same. */
export function historyIdentity({ request, scope: { asOf, group } }: OpenHistory): Json {
  return { ...request, asOf, alias: group && { id: group.id, revision: group.revision } }
}

/** Reads one page of the price history. Its rows are JSON texts already, and are never parsed. */
export async function readHistory(sql: Sql, cursorKey: Uint8Array, open: OpenHistory): Promise<HistoryAnswer> {
  const { request, scope } = open
  const { asOf, group } = scope
  const { prices, next } = await historyPage(sql, { ...request, asOf, rows: rowScope(request, scope) })
  const alias = group && { id: group.id, name: group.name, revision: group.revision }
  const nextCursor =
    next === undefined ? null : historyCursor(cursorKey, { asOf, after: next, providers: request.providers, alias })
  return { head: { asOf, nextCursor, alias, members: group?.members }, prices }
}
