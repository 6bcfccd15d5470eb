import { recordAction } from '../../audit/record-action.ts'
import type { OidcSettings } from '../../lib/oidc-settings.ts'
import type { Tx } from '../../lib/sql.ts'
import { withdrawInvitationsBy } from '../invitations/invitation-store.ts'
import { currentRoles, insertMember, removeMember, setRole } from '../members/member-store.ts'
import { countOperators, lockOperators, setOperator } from '../users/overview-store.ts'
import { membersWhenFull } from '../workspaces/keep-to-quota.ts'
import { lockWorkspace, workspacesNamed } from '../workspaces/workspace-store.ts'
import { type GroupRole, planRoles, type RoleChange, rolesOf } from './role-rules.ts'

/** A transaction that may change who is an operator takes this lock before any other. */
export const lockForGroups = async (tx: Tx, { operatorGroups }: OidcSettings): Promise<void> => {
  if (operatorGroups) await lockOperators(tx)
}

/**
 * Gives an account the rights that its groups have, and takes those away that they do not have: operator rights, and roles in
 * the workspaces of the mapping. The last operator, and the last admin of a workspace, keep theirs.
 * The caller holds the account's lock, and has called `lockForGroups`. Returns workspaces of the mapping that were not found.
 */
export async function applyGroups(
  tx: Tx,
  settings: OidcSettings,
  { accountId, groups }: { accountId: string; groups: string[] },
): Promise<string[]> {
  if (settings.operatorGroups) await applyOperator(tx, accountId, settings.operatorGroups, groups)
  const { mapping, missing } = await findWorkspaces(tx, settings)
  const wanted = rolesOf(groups, mapping)
  const workspaceIds = [...wanted.keys()].sort()
  const isDue = planRoles(wanted, await currentRoles(tx, accountId, workspaceIds)).length > 0
  if (!isDue) return missing
  for (const workspaceId of workspaceIds) await lockWorkspace(tx, workspaceId)
  for (const change of planRoles(wanted, await currentRoles(tx, accountId, workspaceIds)))
    await applyRole(tx, accountId, change)
  return missing
}

async function applyOperator(tx: Tx, accountId: string, operatorGroups: string[], groups: string[]): Promise<void> {
  const isOperator = groups.some((group) => operatorGroups.includes(group))
  const before = await countOperators(tx)
  if (!(await setOperator(tx, accountId, isOperator))) return
  const isLast = !isOperator && before > 0 && (await countOperators(tx)) === 0
  if (isLast) await setOperator(tx, accountId, true)
  const action = isLast ? 'rights_kept' : isOperator ? 'operator_added' : 'operator_removed'
  await recordAction(tx, action, { accountId, subject: accountId, detail: BY_GROUPS })
}

async function applyRole(tx: Tx, accountId: string, { workspaceId, role, change }: RoleChange): Promise<void> {
  const ref = { workspaceId, accountId }
  const isFull = change === 'joins' && (await membersWhenFull(tx, workspaceId)) !== undefined
  if (isFull || change === 'refused') {
    const detail = { ...BY_GROUPS, reason: isFull ? 'member_limit' : 'no_admin' }
    await recordAction(tx, 'join_refused', { accountId, workspaceId, subject: accountId, detail })
    return
  }
  if (change === 'joins') await insertMember(tx, { ...ref, role })
  if (change === 'changes') await setRole(tx, { ...ref, role })
  if (change === 'leaves') await removeMember(tx, ref)
  const losesAdmin = change === 'leaves' || (change === 'changes' && role === 'member')
  if (losesAdmin) await withdrawInvitationsBy(tx, { accountId, workspaceIds: [workspaceId] })
  const action = change === 'kept' ? 'rights_kept' : change === 'leaves' ? 'member_removed' : 'role_changed'
  const detail = { ...BY_GROUPS, ...(change !== 'leaves' && { role }) }
  await recordAction(tx, action, { accountId, workspaceId, subject: accountId, detail })
}
const BY_GROUPS = { by: 'groups' }

/** Of several workspaces with one name the oldest counts: a newer one, which anyone may create, changes no one's rights. */
async function findWorkspaces(tx: Tx, { roles }: OidcSettings): Promise<{ mapping: GroupRole[]; missing: string[] }> {
  const ids = new Map<string, string | undefined>()
  for (const workspace of new Set(roles.map((one) => one.workspace))) {
    const [oldest] = await workspacesNamed(tx, workspace)
    ids.set(workspace, oldest)
  }
  const mapping = roles.flatMap(({ group, workspace, role }) => {
    const workspaceId = ids.get(workspace)
    return workspaceId === undefined ? [] : [{ group, workspaceId, role }]
  })
  return { mapping, missing: [...ids].flatMap(([name, id]) => (id === undefined ? [name] : [])) }
}
