import type { Member } from '../../aliases/group-rules.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { HistoryRequest, RowFilters } from './history-rules.ts'

type Group = { id: string; name: string; revision: number; members: Member[] }

/** What the providers were at an instant. */
export type ProvidersAt = {
  /** Those that priced in credits: served only when they are named. */
  creditProviders: string[]
  /** The active USD-priced ones: whose rows a group without named providers shows. */
  usualProviders: string[]
}

/** What a request refers to: the group as it is now, everything else as it was at asOf. */
export type HistoryScope = {
  /** The newest instant that may be read, by the database's clock. */
  newest: Instant
  /** The instant read at: the requested one, otherwise the newest. */
  asOf: Instant
  /** Nothing can be recorded at or before asOf any more. */
  closed: boolean
  /** The timeline of the history as the database holds it now. */
  timeline: string
  /** The timeline that a cursor names is this one or leads to it. */
  knownTimeline: boolean
  /** False when the database is not the one that the timeline was recorded in: it was restored from a backup. */
  sameDatabase: boolean
  /** Whether an instant may have been answered from history that a restore has lost. */
  lost: { asOf: boolean; since: boolean }
  unknownProviders: string[]
  /** Absent when no group was requested, or when there is none of that id or name. */
  group?: Group
} & ProvidersAt

/** Which rows a page shows. What is absent narrows nothing. */
export type RowScope = {
  providers?: string[]
  exceptProviders?: string[]
  /** Exact names of resources, each of one provider. */
  members?: Member[]
  filters: RowFilters
}

export const aliasNotFound = (): AppError =>
  new AppError('alias_not_found', 'There is no such alias group: /v1/comparison/aliases lists them.', {
    field: 'alias',
  })

export const unknownProvider = (provider: string): AppError =>
  new AppError('invalid_query', `There is no provider ${JSON.stringify(provider)}: /v1/providers lists them.`, {
    field: 'providers',
  })

const badCursor = (message: string): AppError => new AppError('invalid_query', message, { field: 'cursor' })

const historyLost = (field: 'asOf' | 'since' | 'cursor'): AppError =>
  new AppError(
    'history_lost',
    field === 'cursor'
      ? 'The service was restored from a backup, and this walk may have read what was lost: start again without cursor.'
      : `The service was restored from a backup, and what was published around this instant is lost: send another ${field}.`,
    { field },
  )

/** @throws AppError history_lost when a request names an instant or a cursor that may belong to lost history */
function assertNotLost(request: HistoryRequest, scope: HistoryScope): void {
  if (request.timeline !== undefined) {
    // Revisions of a group could repeat after a restore that an earlier version noticed.
    const mayRepeat = request.alias !== undefined && request.timeline !== scope.timeline
    if (!scope.knownTimeline || mayRepeat || scope.lost.asOf || scope.lost.since) throw historyLost('cursor')
  }
  if (scope.lost.asOf) throw historyLost('asOf')
  if (scope.lost.since) throw historyLost('since')
}

/**
 * @param isLive the instant may be as recent as the last publication
 * @throws AppError as_of_too_recent, history_lost, invalid_query, alias_changed, alias_not_found when the scope cannot be
 * read
 */
export function assertReadable(request: HistoryRequest, scope: HistoryScope, isLive = false): void {
  const continues = request.after !== ''
  if (scope.asOf > scope.newest && !isLive) {
    if (continues) throw badCursor('This cursor reads an instant that cannot be read yet.')
    const message = `asOf must be at least 15 minutes in the past: ${scope.newest} is the newest instant now.`
    throw new AppError('as_of_too_recent', message, { field: 'asOf' })
  }
  if (request.since !== undefined && request.since > scope.asOf) {
    throw new AppError('invalid_query', `since must not be after asOf, which is ${scope.asOf}.`, { field: 'since' })
  }
  assertNotLost(request, scope)
  const [unknown] = scope.unknownProviders
  if (unknown !== undefined) throw continues ? badCursor('This is not a cursor of ours.') : unknownProvider(unknown)
  if (!request.alias) return
  if (continues && scope.group?.revision !== request.alias.revision) {
    throw new AppError(
      'alias_changed',
      'The alias group changed since the first page: discard the pages read and start again without cursor. ' +
        'Send the first page’s asOf to read the same instant.',
    )
  }
  if (!scope.group) throw aliasNotFound()
}

/**
 * Returns which rows a request reads. With a group: its members, of the named providers, otherwise of the usual ones.
 * Without: those of the named providers, otherwise of every provider that does not price in credits.
 */
export function rowScope(
  { providers, filters = {} }: HistoryRequest,
  scope: ProvidersAt & { group?: Group },
): RowScope {
  const { group, creditProviders, usualProviders } = scope
  if (!group) return providers ? { providers, filters } : { exceptProviders: creditProviders, filters }
  const shown = new Set(providers ?? usualProviders)
  return { members: group.members.filter((member) => shown.has(member.provider)), filters }
}

/** Returns the providers that a scope shows at one of two instants alone. */
export function scopeDifference(now: RowScope, before: RowScope): { entered: string[]; departed: string[] } {
  if (now.members && before.members) {
    const [shownNow, shownBefore] = [now.members, before.members].map((members) =>
      members.map(({ provider }) => provider),
    )
    return { entered: without(shownNow!, shownBefore!), departed: without(shownBefore!, shownNow!) }
  }
  const [hiddenNow, hiddenBefore] = [now.exceptProviders ?? [], before.exceptProviders ?? []]
  return { entered: without(hiddenBefore, hiddenNow), departed: without(hiddenNow, hiddenBefore) }
}

const without = (names: string[], others: string[]): string[] => [
  ...new Set(names.filter((name) => !others.includes(name))),
]
