import * as users from '../../accounts/users/links/verify-email.ts'
import { verifyEmail } from '../contracts/account.ts'
import { route } from '../route.ts'

/** POST /v1/account/verification/confirm: the holder of the link reads mail at the address. */
export const verifyEmailRoute = route(verifyEmail, async ({ tools, body }) => {
  await users.verifyEmail(tools.sql, tools.mail, body.token)
})
