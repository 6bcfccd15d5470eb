import type { Sql } from '../lib/sql.ts'
import { composedName } from '../lib/text.ts'
import { proposeGroups } from './propose-groups.ts'
import type { SavedGroup } from './record-group-change.ts'
import { saveGroup } from './save-group.ts'

/**
 * Saves proposed groups at a person's request: those named, or `all`. Proposals are computed again, so accepting twice
 * changes nothing.
 */
export async function acceptProposals(
  sql: Sql,
  accepted: { names: string[] | 'all'; actor: string },
): Promise<(SavedGroup & { name: string })[]> {
  const wanted =
    accepted.names === 'all' ? undefined : new Set(accepted.names.map((name) => composedName(name).toLowerCase()))
  const saved = []
  for (const { name, groupId, members } of await proposeGroups(sql)) {
    if (wanted && !wanted.has(name.toLowerCase())) continue
    saved.push({ name, ...(await saveGroup(sql, { id: groupId, name, members, actor: accepted.actor })) })
  }
  return saved
}
