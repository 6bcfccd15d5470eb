import { endSession } from '../../accounts/sessions/end-sessions.ts'
import { signOut } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** DELETE /v1/sessions/current: signs out. */
export const signOutRoute = route(signOut, async ({ tools, actor, setSession }) => {
  await endSession(tools.sql, actor)
  setSession(undefined)
})
