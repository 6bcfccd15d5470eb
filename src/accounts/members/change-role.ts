import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { TextMail } from '../../mail/schema.ts'
import { accountOf } from '../users/account-store.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { memberRemovedMail } from '../users/mail/mail-rules.ts'
import { workspaceName } from '../workspaces/workspace-store.ts'
import { type Acting, withLockedWorkspace } from './authorize.ts'
import { keepAdmins } from './keep-admins.ts'
import type { Role } from './member-schema.ts'
import { removeMember as remove, roleOf, setRole } from './member-store.ts'

type Mail = Pick<AccountMail, 'outbox'>

/** Gives a member another role. The last admin stays one. @throws AppError not_found, forbidden, last_admin */
export async function changeRole(sql: Sql, acting: Acting, member: { accountId: string; role: Role }): Promise<void> {
  await withLockedWorkspace(sql, acting, 'admin', async (tx) => {
    const ref = { workspaceId: acting.workspaceId, accountId: member.accountId }
    const before = await memberRole(tx, ref)
    if (before === member.role) return
    await setRole(tx, { ...ref, role: member.role })
    if (member.role !== 'admin') await endRights(tx, ref)
    await recordAction(tx, 'role_changed', { ...acting, subject: member.accountId, detail: { role: member.role } })
  })
}

/**
 * Removes a member, who is mailed. Admins remove anyone, others only themselves. The last admin stays.
 * @throws AppError not_found, forbidden, last_admin
 */
export async function removeMember(
  sql: Sql,
  acting: Acting,
  member: { accountId: string },
  { outbox }: Mail = {},
): Promise<void> {
  const leaves = member.accountId === acting.accountId
  const send = await withLockedWorkspace(sql, acting, leaves ? 'member' : 'admin', async (tx) => {
    const ref = { workspaceId: acting.workspaceId, accountId: member.accountId }
    await memberRole(tx, ref)
    await remove(tx, ref)
    await endRights(tx, ref)
    await recordAction(tx, leaves ? 'member_left' : 'member_removed', { ...acting, subject: member.accountId })
    return leaves ? undefined : outbox?.write(tx, await removalNotice(tx, ref))
  })
  send?.()
}

/** The mail to who was removed. @param ref of a membership that was just there */
async function removalNotice(tx: Tx, { accountId, workspaceId }: Acting): Promise<TextMail> {
  const account = (await accountOf(tx, accountId))!
  const workspace = (await workspaceName(tx, workspaceId))!
  return { ...memberRemovedMail({ workspaceId, workspace }), to: account.email }
}

async function memberRole(tx: Tx, ref: Acting): Promise<Role> {
  const role = isId(ref.accountId) ? await roleOf(tx, ref) : undefined
  if (role) return role
  throw new AppError('not_found', 'There is no such member in this workspace: they may have left.')
}

const endRights = (tx: Tx, { accountId, workspaceId }: Acting): Promise<void> =>
  keepAdmins(tx, { accountId, workspaceIds: [workspaceId] })
