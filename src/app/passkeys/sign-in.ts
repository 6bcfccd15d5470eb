import * as passkeys from '../../accounts/passkeys/sign-in-with-passkey.ts'
import { shownAccount } from '../account/shown.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../contracts/passkeys.ts'
import { route } from '../route.ts'
import { partyOf } from './offered.ts'

/** POST /v1/sessions/passkey/challenge: what a browser needs to sign in with a passkey. */
export const beginPasskeySignInRoute = route(beginPasskeySignIn, async ({ tools, browser }) => {
  const { options, browserToken } = await passkeys.beginPasskeySignIn(tools.sql, partyOf(tools), browser.token)
  browser.keep(browserToken)
  return { options }
})

/** POST /v1/sessions/passkey: signs in with a passkey. */
export const signInWithPasskeyRoute = route(
  signInWithPasskey,
  async ({ tools, body: { passkey }, browser, device, setSession, remember }) => {
    const given = { passkey, browserToken: browser.token }
    const { account, sessionToken } = await passkeys.signInWithPasskey(tools.sql, partyOf(tools), given, device)
    setSession(sessionToken)
    await remember(account.accountId)
    return { account: shownAccount(account) }
  },
)
