import { publishing, type Stamp } from '../catalog/clock/clock-store.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { type Member, readMembers, refuseTooManyMembers } from './group-rules.ts'
import { existingGroup, recordGroupChange, type SavedGroup } from './record-group-change.ts'

/**
 * Adds members to a group, beside those that it has by then.
 * @throws AppError invalid_body with `field`, alias_not_found
 */
export async function joinGroup(
  sql: Sql,
  { id, joins, actor }: { id: string; joins: Member[]; actor: string },
): Promise<SavedGroup> {
  const joinNow = async (tx: Tx, stamp: Stamp) => {
    const existing = await existingGroup(tx, id)
    const members = readMembers([...existing.members, ...joins])
    refuseTooManyMembers(members, existing.members)
    return recordGroupChange(tx, stamp, { existing, members, change: { name: existing.name, actor } })
  }
  return publishing(sql, joinNow)
}
