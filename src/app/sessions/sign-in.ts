import * as sessions from '../../accounts/sessions/sign-in.ts'
import { shownAccount } from '../account/shown.ts'
import { signIn } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** POST /v1/sessions: signs in with address and password, and a code where the account asks for one. */
export const signInRoute = route(signIn, async ({ tools, body, device, setSession, remember }) => {
  const { account, sessionToken } = await sessions.signIn(tools.sql, body, device, tools)
  setSession(sessionToken)
  await remember(account.accountId)
  return { account: shownAccount(account) }
})
