import * as users from '../../accounts/users/delete-account.ts'
import { deleteAccount } from '../contracts/account.ts'
import { route } from '../route.ts'

/** DELETE /v1/account: deletes the account of someone who knows its password, and signs out. */
export const deleteAccountRoute = route(deleteAccount, async ({ tools, actor, body, setSession }) => {
  await users.deleteAccount(tools.sql, actor, body.currentPassword)
  setSession(undefined)
})
