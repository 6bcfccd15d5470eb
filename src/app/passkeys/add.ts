import * as adding from '../../accounts/passkeys/add-passkey.ts'
import * as beginning from '../../accounts/passkeys/begin-passkey.ts'
import { addPasskey, beginPasskey } from '../contracts/passkeys.ts'
import { route } from '../route.ts'
import { partyOf } from './offered.ts'

/** POST /v1/account/passkeys/challenge: what a browser needs to make a passkey. */
export const beginPasskeyRoute = route(beginPasskey, async ({ tools, actor, body }) => ({
  options: await beginning.beginPasskey(tools.sql, partyOf(tools), actor, body.currentPassword),
}))

/** POST /v1/account/passkeys: adds the passkey that a device made. */
export const addPasskeyRoute = route(addPasskey, async ({ tools, actor, body }) =>
  adding.addPasskey(tools.sql, tools.mail, partyOf(tools), actor, body),
)
