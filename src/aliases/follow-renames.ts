import type { Stamp } from '../catalog/clock/clock-store.ts'
import type { Renaming } from '../catalog/resource-store.ts'
import type { Tx } from '../lib/sql.ts'
import { groupsToFollow } from './group-store.ts'
import { recordGroupChange } from './record-group-change.ts'

/** The actor that a revision shows when a group follows a renamed resource. */
const RENAME_ACTOR = 'rename'

/**
 * Lets groups follow renamed resources, in the publication that renames them: a group that lists the old name also
 * lists the new one. The old one stays, for the rows recorded under it.
 */
export async function followRenames(tx: Tx, stamp: Stamp, renames: Renaming[]): Promise<void> {
  for (const { newNames, ...existing } of await groupsToFollow(tx, renames)) {
    const members = [...existing.members, ...newNames]
    await recordGroupChange(tx, stamp, { existing, members, change: { name: existing.name, actor: RENAME_ACTOR } })
  }
}
