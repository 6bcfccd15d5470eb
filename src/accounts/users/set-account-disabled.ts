import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { keepAdmins } from '../members/keep-admins.ts'
import { insertMember, lockWorkspacesOf, setRole, workspacesWithoutAdmin } from '../members/member-store.ts'
import { signOut } from '../sessions/sign-out.ts'
import { lockAccounts, setDisabled } from './account-store.ts'

/** `successor`: the account that becomes admin of each workspace in which no other admin can act. */
export type Disabling = { accountId: string; disabled: boolean; successor?: string }

/**
 * Disables an account and signs it out everywhere, or enables it again. A workspace in which other members can act keeps
 * an admin who can: without a successor it is refused. One in which no other member can act is closed with the account.
 * @throws AppError last_admin; invalid_body (field `successor`)
 */
export async function setAccountDisabled(tx: Tx, { accountId, disabled, successor }: Disabling): Promise<void> {
  const locked = await lockAccounts(tx, successor === undefined ? [accountId] : [accountId, successor])
  const workspaceIds = await lockWorkspacesOf(tx, accountId)
  if (!(await setDisabled(tx, accountId, disabled))) return
  if (disabled) await signOut(tx, accountId)
  if (successor !== undefined) {
    const mayAct =
      successor === accountId ? !disabled : locked.some((one) => one.accountId === successor && !one.disabledAt)
    if (!mayAct) throw notASuccessor()
    await makeAdmin(tx, successor, workspaceIds)
  }
  await keepAdmins(tx, { accountId, workspaceIds, mayClose: true }, 'name a successor, who becomes admin there.')
  await recordAction(tx, disabled ? 'account_disabled' : 'account_enabled', { subject: accountId })
}

async function makeAdmin(tx: Tx, accountId: string, workspaceIds: string[]): Promise<void> {
  for (const { workspaceId } of await workspacesWithoutAdmin(tx, workspaceIds)) {
    const ref = { workspaceId, accountId, role: 'admin' as const }
    if (!(await insertMember(tx, ref))) await setRole(tx, ref)
    await recordAction(tx, 'role_changed', { workspaceId, subject: accountId, detail: { role: 'admin' } })
  }
}

const notASuccessor = (): AppError =>
  new AppError('invalid_body', 'successor: must be an account that can sign in', { field: 'successor' })
