import { addPasskey } from '../../accounts/passkeys/add-passkey.ts'
import { beginPasskey } from '../../accounts/passkeys/begin-passkey.ts'
import { listPasskeys, removePasskey, renamePasskey } from '../../accounts/passkeys/change-passkeys.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../../accounts/passkeys/sign-in-with-passkey.ts'
import { asksForPassword } from '../../accounts/users/confirm-recently.ts'
import { shownAccount } from '../account/shown.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'
import { partyOf, passkeyHost } from './offered.ts'

export const passkeysRoutes: AppRoute[] = [
  /** GET /v1/account/passkeys: the passkeys of the account, and whether one can be added. */
  route(contracts.listPasskeys, async ({ tools, actor }) => ({
    offered: tools.passkeys.offered,
    host: passkeyHost(tools),
    asksForPassword: await asksForPassword(tools.sql, actor),
    passkeys: await listPasskeys(tools.sql, actor.accountId),
  })),

  /** POST /v1/account/passkeys/challenge: what a browser needs to make a passkey. */
  route(contracts.beginPasskey, async ({ tools, actor, body }) => ({
    options: await beginPasskey(tools.sql, partyOf(tools), actor, body.currentPassword),
  })),

  /** POST /v1/account/passkeys: adds the passkey that a device made. */
  route(contracts.addPasskey, async ({ tools, actor, body }) =>
    addPasskey(tools.sql, tools.mail, partyOf(tools), actor, body),
  ),

  /** PATCH /v1/account/passkeys/{passkeyId}: another name. */
  route(contracts.renamePasskey, async ({ tools, actor: { accountId }, params, body }) => ({
    name: await renamePasskey(tools.sql, { accountId, passkeyId: params.passkeyId }, body),
  })),

  /** DELETE /v1/account/passkeys/{passkeyId}: it signs no one in from then on. */
  route(contracts.removePasskey, ({ tools, actor, params: { passkeyId }, body }) =>
    removePasskey(tools.sql, tools.mail, actor, { passkeyId, currentPassword: body.currentPassword }),
  ),

  /** POST /v1/sessions/passkey/challenge: what a browser needs to sign in with a passkey. */
  route(contracts.beginPasskeySignIn, async ({ tools, browser }) => {
    const { options, browserToken } = await beginPasskeySignIn(tools.sql, partyOf(tools), browser.token)
    browser.keep(browserToken)
    return { options }
  }),

  /** POST /v1/sessions/passkey: signs in with a passkey. */
  route(contracts.signInWithPasskey, async ({ tools, body: { passkey }, browser, device, setSession, remember }) => {
    const given = { passkey, browserToken: browser.token }
    const { account, sessionToken } = await signInWithPasskey(tools.sql, partyOf(tools), given, device)
    setSession(sessionToken)
    await remember(account.accountId)
    return { account: shownAccount(account) }
  }),
]
