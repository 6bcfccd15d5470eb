import { asksForPassword } from '../../accounts/passkeys/begin-passkey.ts'
import * as passkeys from '../../accounts/passkeys/change-passkeys.ts'
import { listPasskeys } from '../contracts/passkeys.ts'
import { route } from '../route.ts'

/** GET /v1/account/passkeys: the passkeys of the account, and whether one can be added. */
export const listPasskeysRoute = route(listPasskeys, async ({ tools: { sql, passkeys: offer }, actor }) => ({
  offered: offer.offered,
  host: offer.offered === 'yes' ? offer.party.id : null,
  asksForPassword: await asksForPassword(sql, actor),
  passkeys: await passkeys.listPasskeys(sql, actor.accountId),
}))
