import type { CurrentRole, Role } from '../members/member-schema.ts'

/** What a group is in a workspace, by the workspace's id. */
export type GroupRole = { group: string; workspaceId: string; role: Role }
/** `kept`: groups would take the last admin away, so the rights stay. `refused`: a member joins no workspace without an admin. */
export type RoleChange = { workspaceId: string; role: Role } & {
  change: 'joins' | 'changes' | 'leaves' | 'kept' | 'refused'
}

/** Returns the role that someone's groups give in each workspace of the mapping: the highest. */
export function rolesOf(groups: string[], mapping: GroupRole[]): Map<string, Role | undefined> {
  const roles = new Map<string, Role | undefined>()
  for (const { group, workspaceId, role } of mapping) {
    const before = roles.get(workspaceId)
    roles.set(workspaceId, groups.includes(group) && before !== 'admin' ? role : before)
  }
  return roles
}

/**
 * Returns what changes so that someone has in each workspace of the mapping the role that their groups give, and none
 * where they give none. The last admin of a workspace stays one.
 */
export function planRoles(wanted: Map<string, Role | undefined>, current: CurrentRole[]): RoleChange[] {
  return current.flatMap(({ workspaceId, role, otherAdmins }): RoleChange[] => {
    const want = wanted.get(workspaceId)
    if (want === (role ?? undefined)) return []
    if (role === null && want === 'member' && otherAdmins === 0) return [{ workspaceId, role: want, change: 'refused' }]
    if (role === null) return want ? [{ workspaceId, role: want, change: 'joins' }] : []
    if (role === 'admin' && otherAdmins === 0) return [{ workspaceId, role, change: 'kept' }]
    return want ? [{ workspaceId, role: want, change: 'changes' }] : [{ workspaceId, role, change: 'leaves' }]
  })
}
