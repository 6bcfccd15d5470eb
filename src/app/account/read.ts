import { listMemberships } from '../../accounts/members/list-members.ts'
import { getAccount } from '../../accounts/users/get-account.ts'
import { readAccount } from '../contracts/account.ts'
import { route } from '../route.ts'
import { shownAccount } from './shown.ts'

/** GET /v1/account: who is signed in, and the workspaces they belong to. */
export const readAccountRoute = route(readAccount, async ({ tools, actor: { accountId, sessionId } }) => ({
  account: shownAccount(await getAccount(tools.sql, accountId)),
  sessionId,
  workspaces: await listMemberships(tools.sql, accountId),
}))
