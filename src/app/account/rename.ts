import * as users from '../../accounts/users/change-account.ts'
import { renameAccount } from '../contracts/account.ts'
import { route } from '../route.ts'

/** PATCH /v1/account: gives the account another name. */
export const renameAccountRoute = route(renameAccount, async ({ tools, actor, body }) => ({
  name: await users.renameAccount(tools.sql, actor, body),
}))
