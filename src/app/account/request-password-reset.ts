import * as users from '../../accounts/users/links/request-links.ts'
import { requestPasswordReset } from '../contracts/account.ts'
import { route } from '../route.ts'

/** POST /v1/password-reset: mails a link for a new password, when an account has the address. */
export const requestPasswordResetRoute = route(requestPasswordReset, async ({ tools, body }) => {
  await users.requestPasswordReset(tools.sql, tools.mail, body.email)
})
