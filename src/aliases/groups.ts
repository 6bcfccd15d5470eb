import { publishing, type Stamp } from '../catalog/clock-store.ts'
import { knownProviders } from '../catalog/provider-store.ts'
import type { Renaming } from '../catalog/resource-store.ts'
import { aliasMemberAddedEvent } from '../events/payloads/alias-member-added.ts'
import { aliasMemberRemovedEvent } from '../events/payloads/alias-member-removed.ts'
import { recordEvents } from '../events/store.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { type Member, memberKey, membershipChange, readGroupName, readMembers } from './group-rules.ts'
import {
  findGroup,
  findGroups,
  type Group,
  type GroupChange,
  groupsToFollow,
  insertGroup,
  moveMembers,
  raiseRevision,
  raiseVersion,
} from './group-store.ts'
import { type MemberFacts, memberFacts } from './member-store.ts'

/** Who saves a group because a member was renamed. */
const RENAME_ACTOR = 'rename'

export type GroupInput = {
  /** Id or name of the group to save again; absent for a new one. */
  id?: string
  name: string
  members: Member[]
  /** Who saves it: kept with the revision. */
  actor: string
  /** The revision the caller edited: saving is refused when the group has changed since. */
  ifRevision?: number
}
export type SavedGroup = { id: string; revision: number; version: number; joined: Member[]; left: Member[] }

/**
 * Creates a group, or saves one again: one publication raises its revision and the catalogue's version and records
 * `alias.member_added` and `alias.member_removed`. Saving raises the revision even when nothing differs.
 * A member need not be priced yet, but its provider has to be known.
 * @throws AppError invalid_body with `field`, alias_not_found, alias_changed
 */
export async function saveGroup(sql: Sql, input: GroupInput): Promise<SavedGroup> {
  const name = readGroupName(input.name)
  const members = readMembers(input.members)
  return publishing(sql, async (tx, stamp) => {
    const existing = input.id === undefined ? undefined : await groupToChange(tx, input.id, input.ifRevision)
    await refuseTakenName(tx, name, existing?.id)
    await refuseUnknownProviders(tx, members)
    return writeGroup(tx, stamp, { existing, members, change: { name, actor: input.actor } })
  })
}

/** Deletes a group: its members leave it, and webhooks that list it keep it and match nothing. */
export async function deleteGroup(sql: Sql, input: { id: string; actor: string }): Promise<SavedGroup> {
  return publishing(sql, async (tx, stamp) => {
    const existing = await groupToChange(tx, input.id)
    const change = { name: existing.name, actor: input.actor, deleted: true }
    return writeGroup(tx, stamp, { existing, members: [], change })
  })
}

/**
 * Lets groups follow renamed resources, in the publication that renames them: a group that lists the old name lists the
 * new one too. The old one stays, for the rows recorded under it.
 */
export async function followRenames(tx: Tx, stamp: Stamp, renames: Renaming[]): Promise<void> {
  for (const { newNames, ...group } of await groupsToFollow(tx, renames)) {
    const members = [...group.members, ...newNames]
    await writeGroup(tx, stamp, { existing: group, members, change: { name: group.name, actor: RENAME_ACTOR } })
  }
}

type Write = { existing?: Group; members: Member[]; change: GroupChange }

async function writeGroup(tx: Tx, stamp: Stamp, { existing, members, change }: Write): Promise<SavedGroup> {
  const group = existing
    ? { id: existing.id, revision: await raiseRevision(tx, stamp.at, existing.id, change) }
    : await insertGroup(tx, stamp.at, change.name)
  const version = await raiseVersion(tx, stamp.at, group, change)
  const moved = membershipChange(existing?.members ?? [], members)
  await moveMembers(tx, stamp.at, group.id, moved)
  await recordMoves(tx, stamp, { ...group, name: change.name }, moved, change.deleted ?? false)
  return { ...group, version, ...moved }
}

async function recordMoves(
  tx: Tx,
  stamp: Stamp,
  group: { id: string; name: string; revision: number },
  { joined, left }: { joined: Member[]; left: Member[] },
  deleted: boolean,
): Promise<void> {
  const facts = await memberFacts(tx, [...joined, ...left])
  const of = (member: Member): MemberFacts => facts.get(memberKey(member))!
  await recordEvents(tx, stamp, [
    ...left.map((member) => aliasMemberRemovedEvent(group, { ...member, ...of(member) }, deleted)),
    ...joined.map((member) => aliasMemberAddedEvent(group, { ...member, ...of(member) }, of(member).lines)),
  ])
}

async function groupToChange(tx: Tx, reference: string, revision?: number): Promise<Group> {
  const group = await findGroup(tx, reference)
  if (!group) throw new AppError('alias_not_found', `There is no alias group ${reference}.`)
  if (revision !== undefined && revision !== group.revision) {
    throw new AppError('alias_changed', `${group.name} was saved by somebody else: load it again.`)
  }
  return group
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
