import { publishing, type Stamp } from '../catalog/clock/clock-store.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { existingGroup, recordGroupChange, type SavedGroup } from './record-group-change.ts'

/**
 * Deletes a group: its members leave it, and webhooks that list it keep it and match nothing.
 * `at` is only for replaying history.
 * @throws AppError alias_not_found
 */
export async function deleteGroup(sql: Sql, input: { id: string; actor: string; at?: Instant }): Promise<SavedGroup> {
  const deleteNow = async (tx: Tx, stamp: Stamp) => {
    const existing = await existingGroup(tx, input.id)
    const change = { name: existing.name, actor: input.actor, deleted: true }
    return recordGroupChange(tx, stamp, { existing, members: [], change })
  }
  return publishing(sql, deleteNow, input.at)
}
