import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { deleteMailsTo } from '../../mail/outbox-store.ts'
import { keepAdmins } from '../members/keep-admins.ts'
import { lockWorkspacesOf, removeMember } from '../members/member-store.ts'
import { lockAccountToDelete, removeAccount } from './account-store.ts'
import { confirmPasswordAlone } from './confirm-password.ts'
import { countOperators, lockOperators } from './overview-store.ts'

type Owner = { accountId: string; email: string; sessionId?: string }

/**
 * Deletes an account with its sessions and memberships. What it created in workspaces stays there.
 * @throws AppError invalid_body (field `currentPassword`), last_admin, last_operator
 */
export async function deleteAccount(sql: Sql, owner: Owner, currentPassword: string): Promise<void> {
  await confirmPasswordAlone(sql, owner, currentPassword)
  const { accountId } = owner
  await sql.begin(async (tx) => {
    await lockOperators(tx)
    await lockAccountToDelete(tx, accountId)
    const workspaceIds = await lockWorkspacesOf(tx, accountId)
    const operators = await countOperators(tx)
    for (const workspaceId of workspaceIds) await removeMember(tx, { workspaceId, accountId })
    await keepAdmins(tx, { accountId, workspaceIds }, 'make another member an admin, or delete the workspace first.')
    await recordAction(tx, 'account_deleted', { accountId, subject: owner.email })
    await removeAccount(tx, accountId)
    await deleteMailsTo(tx, accountId)
    if (operators > 0 && (await countOperators(tx)) === 0)
      throw new AppError('last_operator', 'One operator who can sign in stays: make another account an operator first.')
  })
}
