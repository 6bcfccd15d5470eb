import { listAccountsInDetail } from '../../../accounts/users/change-account-state.ts'
import { listAccounts } from '../../contracts/operator-accounts.ts'
import { route } from '../../route.ts'

/** GET /v1/operator/accounts: every account, oldest first. */
export const listAccountsRoute = route(listAccounts, async ({ tools }) => ({
  accounts: await listAccountsInDetail(tools.sql),
}))
