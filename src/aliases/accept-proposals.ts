import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { composedName } from '../lib/text.ts'
import { joinGroup } from './join-group.ts'
import { proposeGroups } from './propose-groups.ts'
import type { SavedGroup } from './record-group-change.ts'
import { saveGroup } from './save-group.ts'

export type AcceptResult = {
  saved: (SavedGroup & { name: string })[]
  /** What cannot be saved, and why. */
  skipped: { name: string; message: string }[]
}

/**
 * Saves proposed groups at a person's request: those named, or `all`. Proposals are computed again, so accepting twice
 * changes nothing. One that cannot be saved keeps no other from being saved.
 */
export async function acceptProposals(
  sql: Sql,
  accepted: { names: string[] | 'all'; actor: string },
): Promise<AcceptResult> {
  const { names, actor } = accepted
  const wanted = names === 'all' ? undefined : new Set(names.map((name) => composedName(name).toLowerCase()))
  const result: AcceptResult = { saved: [], skipped: [] }
  for (const { name, groupId, members, joins } of await proposeGroups(sql)) {
    if (wanted && !wanted.has(name.toLowerCase())) continue
    try {
      // Several proposals can be for one group: each adds to what it has by then.
      const saved = groupId
        ? await joinGroup(sql, { id: groupId, joins, actor })
        : await saveGroup(sql, { name, members, actor })
      result.saved.push({ name, ...saved })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result.skipped.push({ name, message: error.message })
    }
  }
  return result
}
