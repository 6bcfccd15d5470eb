import * as sessions from '../../accounts/sessions/sign-in.ts'
import { shownAccount } from '../account/shown.ts'
import { signIn } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** POST /v1/sessions: signs in with address and password. */
export const signInRoute = route(signIn, async ({ tools, body, device, setSession }) => {
  const { account, sessionToken } = await sessions.signIn(tools.sql, body, device)
  setSession(sessionToken)
  return { account: shownAccount(account) }
})
