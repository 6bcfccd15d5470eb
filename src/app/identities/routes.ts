import { beginLink, beginSignIn } from '../../accounts/identities/begin-sign-in.ts'
import { linkIdentity, listIdentities, unlinkIdentity } from '../../accounts/identities/link-identity.ts'
import { signInWithIdentity } from '../../accounts/identities/sign-in-with-identity.ts'
import { asksForPassword } from '../../accounts/users/confirm-recently.ts'
import { shownAccount } from '../account/shown.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'
import { providerOf, shownProvider } from './offered.ts'

export const identitiesRoutes: AppRoute[] = [
  /** POST /v1/sessions/identity/begin: the page of the identity provider. */
  route(contracts.beginProviderSignIn, async ({ tools, handshake }) => {
    const { url, browserToken } = await beginSignIn(tools.sql, providerOf(tools), handshake.token)
    handshake.keep(browserToken)
    return { url }
  }),

  /** POST /v1/sessions/identity: signs in who comes back from there. */
  route(contracts.signInWithProvider, async ({ tools, body, handshake, device, setSession, remember }) => {
    const { sql, mail, warn } = tools
    const returned = { answer: body.answer, browserToken: handshake.token }
    const given = { sql, mail, warn, provider: providerOf(tools) }
    const { account, sessionToken } = await signInWithIdentity(given, returned, device)
    setSession(sessionToken)
    await remember(account.accountId)
    return { account: shownAccount(account) }
  }),

  /** GET /v1/account/identities: who the account is to the identity provider. */
  route(contracts.listIdentities, async ({ tools, actor }) => {
    const provider = shownProvider(tools)
    const found = await listIdentities(tools.sql, actor.accountId, provider?.only ?? false)
    return { provider, ...found, asksForPassword: found.hasPassword && (await asksForPassword(tools.sql, actor)) }
  }),

  /** POST /v1/account/identities/begin: the page of the identity provider, to link the account. */
  route(contracts.beginLink, async ({ tools, actor, body, handshake }) => {
    const given = { ...body, browserToken: handshake.token }
    const { url, browserToken } = await beginLink(tools.sql, providerOf(tools), actor, given)
    handshake.keep(browserToken)
    return { url }
  }),

  /** POST /v1/account/identities: links the account to who comes back from there. */
  route(contracts.linkIdentity, async ({ tools, actor, body, handshake }) => {
    const returned = { answer: body.answer, browserToken: handshake.token }
    await linkIdentity(tools.sql, tools.mail, providerOf(tools), actor, returned)
  }),

  /** DELETE /v1/account/identities/{identityId}: it signs no one in from then on. */
  route(contracts.unlinkIdentity, async ({ tools, actor, params, body }) => {
    const provider = shownProvider(tools) ?? { name: 'single sign-on', only: false }
    const given = { identityId: params.identityId, currentPassword: body.currentPassword }
    await unlinkIdentity(tools.sql, tools.mail, actor, given, provider)
  }),
]
