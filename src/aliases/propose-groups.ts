import type { Db, Sql } from '../lib/sql.ts'
import { listGroups } from './group-store.ts'
import { type SavedGroup, saveGroup } from './groups.ts'
import { type Proposal, proposals } from './proposal-rules.ts'
import { listedResources } from './proposal-store.ts'

/** The groups that the names of what is priced now suggest, beside and within the groups there are. Changes nothing. */
export async function proposeGroups(db: Db): Promise<Proposal[]> {
  return proposals(await listedResources(db), await listGroups(db))
}

/**
 * Saves proposed groups because somebody said so: those named, or `all`. Proposals are computed again, so accepting
 * twice changes nothing.
 */
export async function acceptProposals(
  sql: Sql,
  accepted: { names: string[] | 'all'; actor: string },
): Promise<(SavedGroup & { name: string })[]> {
  const wanted = accepted.names === 'all' ? undefined : new Set(accepted.names.map((name) => name.toLowerCase()))
  const saved = []
  for (const { name, groupId, members } of await proposeGroups(sql)) {
    if (wanted && !wanted.has(name.toLowerCase())) continue
    saved.push({ name, ...(await saveGroup(sql, { id: groupId, name, members, actor: accepted.actor })) })
  }
  return saved
}
