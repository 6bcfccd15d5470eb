import * as sessions from '../../accounts/sessions/end-sessions.ts'
import { endSession } from '../contracts/sessions.ts'
import { route } from '../route.ts'

/** DELETE /v1/sessions/{sessionId}: ends one session of the account. */
export const endSessionRoute = route(endSession, async ({ tools, actor, params }) => {
  await sessions.endSession(tools.sql, { accountId: actor.accountId, sessionId: params.sessionId })
})
