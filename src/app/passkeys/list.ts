import { asksForPassword } from '../../accounts/passkeys/begin-passkey.ts'
import * as passkeys from '../../accounts/passkeys/change-passkeys.ts'
import { listPasskeys } from '../contracts/passkeys.ts'
import { route } from '../route.ts'
import { passkeyHost } from './offered.ts'

/** GET /v1/account/passkeys: the passkeys of the account, and whether one can be added. */
export const listPasskeysRoute = route(listPasskeys, async ({ tools, actor }) => ({
  offered: tools.passkeys.offered,
  host: passkeyHost(tools),
  asksForPassword: await asksForPassword(tools.sql, actor),
  passkeys: await passkeys.listPasskeys(tools.sql, actor.accountId),
}))
