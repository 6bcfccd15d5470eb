import { resetPasskeys } from '../../../accounts/passkeys/change-passkeys.ts'
import * as factor from '../../../accounts/second-factor/turn-off.ts'
import * as users from '../../../accounts/users/change-account-state.ts'
import { changeAccountState, endAccountSessions } from '../../contracts/operator-accounts.ts'
import * as passkeys from '../../contracts/passkeys.ts'
import { resetTotp } from '../../contracts/second-factor.ts'
import { route } from '../../route.ts'

/** PATCH /v1/operator/accounts/{accountId}: makes it an operator, disables it, or takes either back. */
export const changeAccountStateRoute = route(changeAccountState, async ({ tools, params, body }) => {
  await users.changeAccountState(tools.sql, params.accountId, body)
})

/** DELETE /v1/operator/accounts/{accountId}/sessions: signs it out everywhere. */
export const endAccountSessionsRoute = route(endAccountSessions, async ({ tools, params }) => ({
  ended: await users.endSessionsOf(tools.sql, params.accountId),
}))

/** DELETE /v1/operator/accounts/{accountId}/totp: asks it for codes no more. */
export const resetTotpRoute = route(resetTotp, ({ tools, params }) =>
  factor.resetTotp(tools.sql, tools.mail, params.accountId),
)

/** DELETE /v1/operator/accounts/{accountId}/passkeys: none of them signs in any more. */
export const resetPasskeysRoute = route(passkeys.resetPasskeys, async ({ tools, params }) => ({
  removed: await resetPasskeys(tools.sql, tools.mail, params.accountId),
}))
