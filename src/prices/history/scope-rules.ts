import type { Member } from '../../aliases/group-rules.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { HistoryRequest } from './history-rules.ts'

/** What a request refers to: the group as it is now, everything else as it was at asOf. */
export type HistoryScope = {
  /** The newest instant that may be read, by the database's clock. */
  newest: Instant
  /** The instant read at: the requested one, otherwise the newest. */
  asOf: Instant
  /** Nothing can be recorded at or before asOf any more. */
  closed: boolean
  unknownProviders: string[]
  /** Absent when no group was requested, or when there is none of that id or name. */
  group?: { id: string; name: string; revision: number; members: Member[] }
  /** The providers that priced in credits at asOf: served only when they are named. */
  creditProviders: string[]
  /** The active USD-priced providers at asOf: whose rows a group without named providers shows. */
  usualProviders: string[]
}

/** Which rows a page shows. What is absent narrows nothing. */
export type RowScope = {
  providers?: string[]
  exceptProviders?: string[]
  /** Exact names of resources, each of one provider. */
  members?: Member[]
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

/** @throws AppError as_of_too_recent, invalid_query, alias_changed, alias_not_found when the scope cannot be read */
export function assertReadable(request: HistoryRequest, scope: HistoryScope): void {
  const continues = request.after !== ''
  if (scope.asOf > scope.newest) {
    if (continues) throw badCursor('This cursor reads an instant that cannot be read yet.')
    const message = `asOf must be at least 15 minutes in the past: ${scope.newest} is the newest instant now.`
    throw new AppError('as_of_too_recent', message, { field: 'asOf' })
  }
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
export function rowScope({ providers }: HistoryRequest, scope: HistoryScope): RowScope {
  const { group, creditProviders, usualProviders } = scope
  if (!group) return providers ? { providers } : { exceptProviders: creditProviders }
  const shown = new Set(providers ?? usualProviders)
  return { members: group.members.filter((member) => shown.has(member.provider)) }
}
