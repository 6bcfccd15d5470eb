import { resetIdentities } from '../../../accounts/identities/link-identity.ts'
import { resetPasskeys } from '../../../accounts/passkeys/change-passkeys.ts'
import { resetTotp } from '../../../accounts/second-factor/turn-off.ts'
import {
  changeAccountState,
  endSessionsOf,
  listAccountsInDetail,
} from '../../../accounts/users/change-account-state.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const accountsRoutes: AppRoute[] = [
  /** GET /v1/operator/accounts: every account, oldest first. */
  route(contracts.listAccounts, async ({ tools }) => ({
    accounts: await listAccountsInDetail(tools.sql),
  })),

  /** PATCH /v1/operator/accounts/{accountId}: makes it an operator, disables it, or takes either back. */
  route(contracts.changeAccountState, async ({ tools, params, body }) => {
    await changeAccountState(tools.sql, params.accountId, body)
  }),

  /** DELETE /v1/operator/accounts/{accountId}/sessions: signs it out everywhere. */
  route(contracts.endAccountSessions, async ({ tools, params }) => ({
    ended: await endSessionsOf(tools.sql, params.accountId),
  })),

  /** DELETE /v1/operator/accounts/{accountId}/totp: asks it for codes no more. */
  route(contracts.resetTotp, ({ tools, params }) => resetTotp(tools.sql, tools.mail, params.accountId)),

  /** DELETE /v1/operator/accounts/{accountId}/passkeys: none of them signs in any more. */
  route(contracts.resetPasskeys, async ({ tools, params }) => ({
    removed: await resetPasskeys(tools.sql, tools.mail, params.accountId),
  })),

  /** DELETE /v1/operator/accounts/{accountId}/identities: unlinks it from the identity provider. */
  route(contracts.resetIdentities, async ({ tools, params }) => ({
    removed: await resetIdentities(tools.sql, tools.mail, params.accountId),
  })),
]
