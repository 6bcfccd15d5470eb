import * as users from '../../accounts/users/create-account.ts'
import { createAccount } from '../contracts/account.ts'
import { route } from '../route.ts'
import { shownAccount } from './shown.ts'

/** POST /v1/account: creates the account that a link entitles to, and signs it in. */
export const createAccountRoute = route(createAccount, async ({ tools, body, device, setSession, remember }) => {
  const mailWorks = tools.mail.send !== undefined
  const { account, sessionToken } = await users.createAccount(tools.sql, body, device, { mailWorks })
  setSession(sessionToken)
  await remember(account.accountId)
  return { account: shownAccount(account) }
})
