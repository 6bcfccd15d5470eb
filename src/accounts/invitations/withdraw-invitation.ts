import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { type Acting, withLockedWorkspace } from '../members/authorize.ts'
import type { InvitationView } from './invitation-schema.ts'
import { openInvitations, setWithdrawn } from './invitation-store.ts'

/** Returns the invitations of a workspace that can still be accepted, newest first. */
export const listInvitations = (sql: Sql, workspaceId: string): Promise<InvitationView[]> =>
  openInvitations(sql, workspaceId)

/** Withdraws an invitation: its link is void. It still counts toward the day's. @throws AppError not_found, forbidden */
export async function withdrawInvitation(
  sql: Sql,
  acting: Acting,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await withLockedWorkspace(sql, acting, 'admin', async (tx) => {
    const email = await setWithdrawn(tx, { workspaceId: acting.workspaceId, invitationId })
    if (email === undefined) {
      throw new AppError('not_found', 'There is no such invitation: it may have been accepted, or has expired.')
    }
    await recordAction(tx, 'invitation_withdrawn', { ...acting, subject: email })
  })
}
