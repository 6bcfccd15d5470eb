import { recordRestore } from '../../catalog/clock/begin-restored-timeline.ts'
import { closeAsOf } from '../../catalog/clock/close-as-of.ts'
import type { Json } from '../../lib/canonical-json.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { historyCursor } from './cursor-rules.ts'
import type { HistoryReplica } from './history-replica.ts'
import type { HistoryAnswer, HistoryRequest } from './history-rules.ts'
import {
  type HistoryPage,
  historyChanges,
  historyPage,
  historyScope,
  providersAt,
  type ScopeRequest,
} from './history-store.ts'
import { assertReadable, type HistoryScope, rowScope, scopeDifference } from './scope-rules.ts'

/** By then what an instant refers to is looked up again. */
const RETRY_SECONDS = 2

/** A request with everything it refers to, at a closed instant: what it reads never changes any more. */
export type OpenHistory = { request: HistoryRequest; scope: HistoryScope }

/**
 * Looks up what a request refers to at an instant that is closed. The instant is closed before anything of the answer is
 * read: which providers were active then is part of it.
 * @param isLive reads at an instant that is not final yet, which only the app shows
 * @throws AppError as_of_too_recent, invalid_query, alias_not_found, alias_changed; unavailable while the instant cannot
 * be closed
 */
export async function openHistory(sql: Sql, request: HistoryRequest, isLive = false): Promise<OpenHistory> {
  const references: ScopeRequest = {
    asOf: request.asOf,
    providers: request.providers ?? [],
    alias: request.alias?.reference,
    since: request.since,
    timeline: request.timeline,
  }
  const scope = await currentScope(sql, references)
  assertReadable(request, scope, isLive)
  if (scope.closed) return { request, scope }
  await closeAsOf(sql, scope.asOf)
  const closedScope = await historyScope(sql, { ...references, asOf: scope.asOf })
  assertReadable(request, closedScope, isLive)
  return { request, scope: closedScope }
}

/** Looks up a scope. Where the database shows that it was restored from a backup, that is recorded first. */
async function currentScope(sql: Sql, references: ScopeRequest): Promise<HistoryScope> {
  const scope = await historyScope(sql, references)
  if (scope.sameDatabase) return scope
  await recordRestore(sql)
  return historyScope(sql, references)
}

/** Returns everything that decides which rows a page has: pages with equal identities are the same. */
export function historyIdentity({ request, scope: { asOf, group, timeline } }: OpenHistory): Json {
  return { ...request, asOf, timeline, alias: group && { id: group.id, revision: group.revision } }
}

/**
 * Reads one page of the price history, from a replica where that has all of it. Its rows are JSON texts already, and are
 * never parsed.
 * @throws AppError unavailable when the database was restored meanwhile
 */
export async function readHistory(
  sql: Sql,
  cursorKey: Uint8Array,
  open: OpenHistory,
  replica?: HistoryReplica,
): Promise<HistoryAnswer> {
  const { request, scope } = open
  const { asOf, group, timeline } = scope
  const { since } = request
  const page = (await replica?.read((from) => readRows(from, open))) ?? (await readRows(sql, open))
  // Only a restore, since the instant was looked up, takes it away from the primary.
  if (!page.complete) throw restoredMeanwhile()
  const { prices, unpublished, next } = page
  const alias = group && { id: group.id, name: group.name, revision: group.revision }
  const pinned = alias && { id: alias.id, revision: alias.revision }
  const nextCursor =
    next === undefined ? null : historyCursor(cursorKey, { ...request, timeline, asOf, after: next, alias: pinned })
  return {
    head: { asOf, since, nextCursor, alias, members: group?.members, unpublished },
    prices,
    include: request.include,
  }
}

const restoredMeanwhile = (): AppError =>
  new AppError('unavailable', 'The service was restored from a backup just now: send the request again.', {
    retryAfter: RETRY_SECONDS,
  })

/** Reads the rows of a page: those served at asOf, or what differs since an earlier instant. */
async function readRows(sql: Sql, { request, scope }: OpenHistory): Promise<HistoryPage> {
  const { asOf } = scope
  const rows = rowScope(request, scope)
  const { since } = request
  if (since === undefined) return historyPage(sql, { ...request, asOf, rows, timeline: scope.timeline })
  const before = rowScope(request, { ...scope, ...(await providersAt(sql, since)) })
  const page = { ...request, asOf, since, rows, before, ...scopeDifference(rows, before), timeline: scope.timeline }
  return historyChanges(sql, page)
}
