import { publishing } from '../catalog/clock-store.ts'
import type { Sql } from '../lib/sql.ts'
import { existingGroup, recordGroupChange, type SavedGroup } from './record-group-change.ts'

/**
 * Deletes a group: its members leave it, and webhooks that list it keep it and match nothing.
 * @throws AppError alias_not_found
 */
export async function deleteGroup(sql: Sql, input: { id: string; actor: string }): Promise<SavedGroup> {
  return publishing(sql, async (tx, stamp) => {
    const existing = await existingGroup(tx, input.id)
    const change = { name: existing.name, actor: input.actor, deleted: true }
    return recordGroupChange(tx, stamp, { existing, members: [], change })
  })
}
