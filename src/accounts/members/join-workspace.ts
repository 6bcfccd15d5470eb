import { recordAction } from '../../audit/record-action.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { accountOfEmail, lockAccount } from '../users/account-store.ts'
import { checkRoomForMember } from '../workspaces/keep-to-quota.ts'
import { lockWorkspace } from '../workspaces/workspace-store.ts'
import { keepAdmins } from './keep-admins.ts'
import type { Role } from './member-schema.ts'
import { insertMember, roleOf, setRole } from './member-store.ts'

/**
 * Makes an account a member of a workspace, or gives it another role there: for operators, when no admin can act.
 * @throws OperatorError; AppError last_admin
 */
export async function joinWorkspace(
  sql: Sql,
  { email, workspaceId, role }: { email: string; workspaceId: string; role: Role },
): Promise<void> {
  await sql.begin(async (tx) => {
    const found = await accountOfEmail(tx, email)
    const account = found && (await lockAccount(tx, found.accountId))
    if (!account) throw new OperatorError(`There is no account ${email}. See: npx pricetape account list`)
    if (!(await lockWorkspace(tx, workspaceId))) throw new OperatorError('This workspace no longer exists.')
    const ref = { workspaceId, accountId: account.accountId, role }
    if ((await roleOf(tx, ref)) === undefined) await checkRoomForMember(tx, workspaceId)
    if (!(await insertMember(tx, ref))) await setRole(tx, ref)
    if (role !== 'admin')
      await keepAdmins(tx, { ...ref, workspaceIds: [workspaceId], mayClose: true }, 'join with --role admin first.')
    await recordAction(tx, 'role_changed', { workspaceId, subject: account.accountId, detail: { role } })
  })
}
