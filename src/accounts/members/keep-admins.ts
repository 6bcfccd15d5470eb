import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { withdrawInvitationsBy } from '../invitations/invitation-store.ts'
import { workspacesWithoutAdmin } from './member-store.ts'

/**
 * What every change that takes rights from an account ends with: the invitations that it can no longer answer for end,
 * and each of these workspaces keeps an admin who is neither disabled nor deleted. The caller holds their locks.
 * @param mayClose whether a workspace passes in which no member can act any more: no one can open it then
 * @throws AppError last_admin, which names the workspaces
 */
export async function keepAdmins(
  tx: Tx,
  { accountId, workspaceIds, mayClose = false }: { accountId: string; workspaceIds: string[]; mayClose?: boolean },
  advice = 'make another member an admin first.',
): Promise<void> {
  await withdrawInvitationsBy(tx, { accountId, workspaceIds })
  const lacking = await workspacesWithoutAdmin(tx, workspaceIds)
  const refused = lacking.filter(({ members }) => !mayClose || members > 0).map(({ name }) => name)
  if (refused.length > 0)
    throw new AppError('last_admin', `${refused.join(', ')} would have no admin who can act: ${advice}`)
}
