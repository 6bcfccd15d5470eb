import * as users from '../../accounts/users/links/reset-password.ts'
import { resetPassword } from '../contracts/account.ts'
import { route } from '../route.ts'

/** POST /v1/password-reset/confirm: a new password for the holder of the link; every session ends. */
export const resetPasswordRoute = route(resetPassword, async ({ tools, body, remember }) => {
  const { accountId } = await users.resetPassword(tools.sql, tools.mail, body)
  await remember(accountId)
})
