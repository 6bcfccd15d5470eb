import { endAllSessions } from '../../accounts/sessions/end-sessions.ts'
import { signOutEverywhere } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** DELETE /v1/sessions: ends every session of the account, this one included. */
export const signOutEverywhereRoute = route(signOutEverywhere, async ({ tools, actor, setSession }) => {
  setSession(undefined)
  return { ended: await endAllSessions(tools.sql, actor.accountId) }
})
