import * as users from '../../accounts/users/links/request-links.ts'
import { requestVerification } from '../contracts/account.ts'
import { route } from '../route.ts'

/** POST /v1/account/verification: mails the link that confirms the account's address. */
export const requestVerificationRoute = route(requestVerification, async ({ tools, actor }) => {
  await users.requestVerification(tools.sql, tools.mail, actor.accountId)
})
