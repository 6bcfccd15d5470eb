import { hasFirstAccount } from '../../accounts/users/links/create-first-account-link.ts'
import { readSignedIn } from '../account/signed-in.ts'
import { readSession } from '../contracts/sessions.ts'
import { passkeyHost } from '../passkeys/offered.ts'
import { route } from '../route.ts'

/** GET /v1/session: the signed-in user, if there is one. */
export const readSessionRoute = route(readSession, async ({ tools, actor }) => ({
  session: actor ? await readSignedIn(tools.sql, actor) : null,
  publicPages: tools.publicPages,
  signUp: tools.signUp,
  hasAccounts: actor !== undefined || (await hasFirstAccount(tools.sql)),
  passkeyHost: passkeyHost(tools),
}))
