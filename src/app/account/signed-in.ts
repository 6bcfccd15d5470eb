import { listMemberships } from '../../accounts/members/list-members.ts'
import type { SignedIn } from '../../accounts/sessions/session-schema.ts'
import { getAccount } from '../../accounts/users/get-account.ts'
import type { Sql } from '../../lib/sql.ts'
import { shownAccount } from './shown.ts'

/** Returns the signed-in user and their workspaces. */
export const readSignedIn = async (sql: Sql, { accountId, sessionId }: SignedIn) => ({
  account: shownAccount(await getAccount(sql, accountId)),
  sessionId,
  workspaces: await listMemberships(sql, accountId),
})
