import { endAllSessions, endSession, listSessions, startedAtProvider } from '../../accounts/sessions/end-sessions.ts'
import { signIn } from '../../accounts/sessions/sign-in.ts'
import { hasFirstAccount } from '../../accounts/users/links/create-first-account-link.ts'
import { shownAccount } from '../account/shown.ts'
import { readSignedIn } from '../account/signed-in.ts'
import { refuseIfProviderOnly, shownProvider } from '../identities/offered.ts'
import { passkeyHost } from '../passkeys/offered.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const sessionsRoutes: AppRoute[] = [
  /** POST /v1/sessions: signs in with address and password, and a code where the account asks for one. */
  route(contracts.signIn, async ({ tools, body, device, setSession, remember }) => {
    refuseIfProviderOnly(tools)
    const { account, sessionToken } = await signIn(tools.sql, body, device, tools)
    setSession(sessionToken)
    await remember(account.accountId)
    return { account: shownAccount(account) }
  }),

  /** GET /v1/session: the signed-in user, if there is one. */
  route(contracts.readSession, async ({ tools, actor }) => ({
    session: actor ? await readSignedIn(tools.sql, actor) : null,
    publicPages: tools.publicPages,
    signUp: tools.signUp,
    hasAccounts: actor !== undefined || (await hasFirstAccount(tools.sql)),
    provider: shownProvider(tools),
    passkeyHost: passkeyHost(tools),
  })),

  /** GET /v1/sessions: where the account is signed in. */
  route(contracts.listSessions, async ({ tools, actor }) => {
    const found = await listSessions(tools.sql, actor.accountId)
    return { sessions: found.map((session) => ({ ...session, current: session.sessionId === actor.sessionId })) }
  }),

  /** DELETE /v1/sessions/current: signs out; who signed in at the identity provider goes on to sign out there. */
  route(contracts.signOut, async ({ tools, actor, setSession }) => {
    const isOfProvider = await startedAtProvider(tools.sql, actor.sessionId)
    await endSession(tools.sql, actor)
    setSession(undefined)
    return { continueAt: (isOfProvider && (await tools.provider?.signOutUrl())) || null }
  }),

  /** DELETE /v1/sessions/{sessionId}: ends one session of the account. */
  route(contracts.endSession, async ({ tools, actor, params }) => {
    await endSession(tools.sql, { accountId: actor.accountId, sessionId: params.sessionId })
  }),

  /** DELETE /v1/sessions: ends every session of the account, this one included. */
  route(contracts.signOutEverywhere, async ({ tools, actor, setSession }) => {
    setSession(undefined)
    return { ended: await endAllSessions(tools.sql, actor.accountId) }
  }),
]
