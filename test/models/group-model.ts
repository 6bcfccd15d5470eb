/** What the specification says of alias groups: revisions, the version of the catalog, names, members and events. */

export type Member = { provider: string; resource: string }
export type ModelGroup = { id: string; name: string; revision: number; members: string[]; isDeleted: boolean }
export type GroupEvent = { type: 'alias.member_added' | 'alias.member_removed'; group: string; member: string }
export type GroupWorld = { groups: ModelGroup[]; version: number }

export const keyOf = ({ provider, resource }: Member): string => `${provider} ${resource}`

export const livingGroups = ({ groups }: GroupWorld): ModelGroup[] => groups.filter(({ isDeleted }) => !isDeleted)

/** Two names that differ only in capitals or spaces are the same name. */
const nameKey = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()

/** "Where a group is referenced … the id or the name is accepted" */
export const find = (world: GroupWorld, reference: string): ModelGroup | undefined =>
  livingGroups(world).find(({ id, name }) => id === reference || nameKey(name) === nameKey(reference))

/** "`alias.member_added` / `alias.member_removed` events say what joined or left" */
function membersChange(group: ModelGroup, members: string[]): GroupEvent[] {
  const left = group.members.filter((member) => !members.includes(member))
  const joined = members.filter((member) => !group.members.includes(member))
  group.members = members
  return [
    ...left.map((member): GroupEvent => ({ type: 'alias.member_removed', group: group.id, member })),
    ...joined.map((member): GroupEvent => ({ type: 'alias.member_added', group: group.id, member })),
  ]
}

/** The id is the product's; a new group is at revision 1. */
export function create(world: GroupWorld, id: string, name: string, members: string[]): GroupEvent[] {
  const group: ModelGroup = { id, name, revision: 1, members: [], isDeleted: false }
  world.groups.push(group)
  world.version++
  return membersChange(group, members)
}

/** "group saved again: any change: revision changes" */
export function save(world: GroupWorld, group: ModelGroup, name: string, members: string[]): GroupEvent[] {
  group.name = name
  group.revision++
  world.version++
  return membersChange(group, members)
}

/** "version of the whole catalog; increases with every change to any group, deletions included" */
export function remove(world: GroupWorld, group: ModelGroup): GroupEvent[] {
  const events = save(world, group, group.name, [])
  group.isDeleted = true
  return events
}

/** "the name of its group, or when it is in none its canonical id, else its own name" */
export function comparisonOf(world: GroupWorld, member: string, canonical: string | undefined): string {
  const names = livingGroups(world).filter(({ members }) => members.includes(member))
  return names.map(({ name }) => name).sort()[0] ?? canonical ?? member.slice(member.indexOf(' ') + 1)
}
