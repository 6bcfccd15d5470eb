import type { Stamp } from '../catalog/clock/clock-store.ts'
import { aliasMemberAddedEvent } from '../events/payloads/alias-member-added.ts'
import { aliasMemberRemovedEvent } from '../events/payloads/alias-member-removed.ts'
import { recordEvents } from '../events/store.ts'
import { AppError } from '../lib/errors.ts'
import type { Tx } from '../lib/sql.ts'
import { type Member, type MembershipChange, memberKey, membershipChange } from './group-rules.ts'
import {
  type Group,
  type GroupChange,
  groupByReference,
  insertGroup,
  moveMembers,
  raiseRevision,
  raiseVersion,
} from './group-store.ts'
import { type MemberFacts, memberFacts } from './member-store.ts'

export type SavedGroup = { id: string; revision: number; version: number } & MembershipChange
/** What a group becomes; `existing` is absent for a new one. */
type NewState = { existing?: Group; members: Member[]; change: GroupChange }

/** Records a change of a group inside a publication: revision, version, members, and the events of both. */
export async function recordGroupChange(
  tx: Tx,
  stamp: Stamp,
  { existing, members, change }: NewState,
): Promise<SavedGroup> {
  const group = existing
    ? { id: existing.id, revision: await raiseRevision(tx, stamp.at, existing.id, change) }
    : await insertGroup(tx, stamp.at, change.name)
  const version = await raiseVersion(tx, stamp.at, group, change)
  const membership = membershipChange(existing?.members ?? [], members)
  await moveMembers(tx, stamp.at, group.id, membership)
  await recordMembershipEvents(tx, stamp, { ...group, name: change.name }, membership, change.deleted ?? false)
  return { ...group, version, ...membership }
}

async function recordMembershipEvents(
  tx: Tx,
  stamp: Stamp,
  group: { id: string; name: string; revision: number },
  { joined, left }: MembershipChange,
  deleted: boolean,
): Promise<void> {
  const facts = await memberFacts(tx, [...joined, ...left])
  const factsOf = (member: Member): MemberFacts => facts.get(memberKey(member))!
  await recordEvents(tx, stamp, [
    ...left.map((member) => aliasMemberRemovedEvent(group, { ...member, ...factsOf(member) }, deleted)),
    ...joined.map((member) => aliasMemberAddedEvent(group, { ...member, ...factsOf(member) }, factsOf(member).lines)),
  ])
}

/**
 * The group to change.
 * @throws AppError alias_not_found; alias_changed when it is no longer at the revision the caller edited
 */
export async function existingGroup(tx: Tx, reference: string, revision?: number): Promise<Group> {
  const group = await groupByReference(tx, reference)
  if (!group) throw new AppError('alias_not_found', `There is no alias group ${reference}.`)
  if (revision !== undefined && revision !== group.revision) {
    throw new AppError('alias_changed', `${group.name} was saved meanwhile: load it again.`)
  }
  return group
}
