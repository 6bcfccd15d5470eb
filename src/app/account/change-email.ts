import * as users from '../../accounts/users/change-email.ts'
import { changeEmail } from '../contracts/account.ts'
import { route } from '../route.ts'

/** PUT /v1/account/email: mails a link to another address; with it the account gets that address. */
export const changeEmailRoute = route(changeEmail, async ({ tools, actor, body }) => {
  await users.requestEmailChange(tools.sql, tools.mail, actor, body)
})
