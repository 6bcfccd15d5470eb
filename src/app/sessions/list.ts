import * as sessions from '../../accounts/sessions/end-sessions.ts'
import { listSessions } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** GET /v1/sessions: where the account is signed in. */
export const listSessionsRoute = route(listSessions, async ({ tools, actor }) => {
  const found = await sessions.listSessions(tools.sql, actor.accountId)
  return { sessions: found.map((session) => ({ ...session, current: session.sessionId === actor.sessionId })) }
})
