import { publishing, type Stamp } from '../catalog/clock/clock-store.ts'
import { knownProviders } from '../catalog/providers/provider-store.ts'
import { AppError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { type Member, readGroupName, readMembers, refuseTooManyMembers } from './group-rules.ts'
import { findGroups } from './group-store.ts'
import { existingGroup, recordGroupChange, type SavedGroup } from './record-group-change.ts'

type GroupInput = {
  /** Id or name of the group to save again; absent for a new one. */
  id?: string
  name: string
  members: Member[]
  /** Who saves it: kept with the revision. */
  actor: string
  /** The revision the caller edited: saving is refused when the group has changed since. */
  ifRevision?: number
  /** Only for replaying history. */
  at?: Instant
}

/**
 * Creates a group, or saves one again: one publication raises its revision and the catalogue's version and records
 * `alias.member_added` and `alias.member_removed`. Saving raises the revision even when nothing differs.
 * A member need not be priced yet, but its provider has to be known.
 * @throws AppError invalid_body with `field`, alias_not_found, alias_changed
 */
export async function saveGroup(sql: Sql, input: GroupInput): Promise<SavedGroup> {
  const name = readGroupName(input.name)
  const members = readMembers(input.members)
  const saveNow = async (tx: Tx, stamp: Stamp) => {
    const existing = input.id === undefined ? undefined : await existingGroup(tx, input.id, input.ifRevision)
    refuseTooManyMembers(members, existing?.members ?? [])
    await refuseTakenName(tx, name, existing?.id)
    await refuseUnknownProviders(tx, members)
    return recordGroupChange(tx, stamp, { existing, members, change: { name, actor: input.actor } })
  }
  return publishing(sql, saveNow, input.at)
}

async function refuseTakenName(tx: Tx, name: string, id?: string): Promise<void> {
  const holder = (await findGroups(tx, [name])).get(name)
  if (!holder || holder.id === id) return
  throw new AppError('invalid_body', `name: another group is called ${holder.name}.`, { field: 'name' })
}

async function refuseUnknownProviders(tx: Tx, members: Member[]): Promise<void> {
  const known = await knownProviders(tx, [...new Set(members.map((member) => member.provider))])
  const unknown = members.find((member) => !known.has(member.provider))
  if (!unknown) return
  throw new AppError('invalid_body', `members: ${unknown.provider} is not a provider.`, { field: 'members' })
}
