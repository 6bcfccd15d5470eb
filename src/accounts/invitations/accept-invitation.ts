import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { insertMember } from '../members/member-store.ts'
import { lockAccount, setEmailVerified } from '../users/account-store.ts'
import { emailKey } from '../users/email-rules.ts'
import { invalidLink } from '../users/links/invalid-link.ts'
import { accountDisabled } from '../users/require-account.ts'
import { checkRoomForMember } from '../workspaces/keep-to-quota.ts'
import type { OpenInvitation } from './invitation-schema.ts'
import { findInvitation, useInvitation } from './invitation-store.ts'

/** Returns what an invitation's link is about. @throws AppError invalid_link */
export async function readInvitation(sql: Sql, token: string): Promise<OpenInvitation> {
  const found = await findInvitation(sql, token)
  if (found) return found
  throw invalidLink()
}

/**
 * Makes the account a member of the workspace that it is invited to. Returns that workspace's id.
 * @throws AppError invalid_link; forbidden when the invitation is for another address
 */
export async function acceptInvitation(
  sql: Sql,
  account: { accountId: string; email: string },
  token: string,
): Promise<{ workspaceId: string }> {
  return sql.begin(async (tx) => {
    const invited = await lockAccount(tx, account.accountId)
    if (!invited || invited.disabledAt) throw accountDisabled()
    const invitation = await useInvitation(tx, token)
    if (!invitation) throw invalidLink()
    const { workspaceId, role, email, mailed } = invitation
    if (emailKey(email) !== emailKey(account.email)) {
      throw new AppError('forbidden', `This invitation is for ${email}: sign in with that address to accept it.`)
    }
    await checkRoomForMember(tx, workspaceId)
    await insertMember(tx, { workspaceId, accountId: account.accountId, role })
    if (mailed) await setEmailVerified(tx, account.email)
    await recordAction(tx, 'invitation_accepted', { accountId: account.accountId, workspaceId, detail: { role } })
    return { workspaceId }
  })
}
