import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { countAdmins, membershipsOf, removeMember } from '../members/member-store.ts'
import { lockWorkspaces } from '../workspace-store.ts'
import { removeAccount } from './account-store.ts'
import { confirmPasswordAlone } from './confirm-password.ts'
import { countOperators, lockOperators } from './overview-store.ts'

type Owner = { accountId: string; email: string }

/**
 * Deletes an account with its sessions and memberships. What it created in workspaces stays there.
 * @throws AppError invalid_body (field `currentPassword`), last_admin, last_operator
 */
export async function deleteAccount(sql: Sql, owner: Owner, currentPassword: string): Promise<void> {
  await confirmPasswordAlone(sql, owner, currentPassword)
  const { accountId } = owner
  await sql.begin(async (tx) => {
    await lockOperators(tx)
    await lockWorkspaces(tx)
    const operators = await countOperators(tx)
    await leaveWorkspaces(tx, accountId)
    await recordAction(tx, 'account_deleted', { accountId, subject: owner.email })
    await removeAccount(tx, accountId)
    if (operators > 0 && (await countOperators(tx)) === 0)
      throw new AppError('last_operator', 'One operator who can sign in stays: make somebody else an operator first.')
  })
}

async function leaveWorkspaces(tx: Tx, accountId: string): Promise<void> {
  for (const { workspaceId, name } of await membershipsOf(tx, accountId)) {
    await removeMember(tx, { workspaceId, accountId })
    if ((await countAdmins(tx, workspaceId)) > 0) continue
    throw new AppError('last_admin', `You are the last admin of ${name}: make somebody else admin, or delete it first.`)
  }
}
