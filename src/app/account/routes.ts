import { changePassword, renameAccount } from '../../accounts/users/change-account.ts'
import { requestEmailChange } from '../../accounts/users/change-email.ts'
import { createAccount } from '../../accounts/users/create-account.ts'
import { deleteAccount } from '../../accounts/users/delete-account.ts'
import { requestPasswordReset, requestSignUp, requestVerification } from '../../accounts/users/links/request-links.ts'
import { resetPassword } from '../../accounts/users/links/reset-password.ts'
import { verifyEmail } from '../../accounts/users/links/verify-email.ts'
import { refuseIfProviderOnly } from '../identities/offered.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'
import { shownAccount } from './shown.ts'
import { readSignedIn } from './signed-in.ts'

export const accountRoutes: AppRoute[] = [
  /** POST /v1/sign-up: mails a link with which an address creates its account. */
  route(contracts.signUp, async ({ tools, body, device }) => {
    await requestSignUp(tools.sql, tools.mail, { ...body, signUp: tools.signUp, address: device.address })
  }),

  /** POST /v1/account: creates the account that a link entitles to, and signs it in. */
  route(contracts.createAccount, async ({ tools, body, device, setSession, remember }) => {
    const mailWorks = tools.mail.outbox !== undefined
    const firstAlone = tools.provider?.settings.only
    const { account, sessionToken } = await createAccount(tools.sql, body, device, { mailWorks, firstAlone })
    setSession(sessionToken)
    await remember(account.accountId)
    return { account: shownAccount(account) }
  }),

  /** GET /v1/account: the signed-in user and their workspaces. */
  route(contracts.readAccount, async ({ tools, actor }) => readSignedIn(tools.sql, actor)),

  /** PATCH /v1/account: gives the account another name. */
  route(contracts.renameAccount, async ({ tools, actor, body }) => ({
    name: await renameAccount(tools.sql, actor, body),
  })),

  /** DELETE /v1/account: deletes the account of someone who knows its password, and signs out. */
  route(contracts.deleteAccount, async ({ tools, actor, body, setSession }) => {
    await deleteAccount(tools.sql, actor, body.currentPassword)
    setSession(undefined)
  }),

  /** PUT /v1/account/password: another password; every other session ends. */
  route(contracts.changePassword, async ({ tools, actor, body, device, setSession, remember }) => {
    refuseIfProviderOnly(tools)
    setSession(await changePassword(tools.sql, tools.mail, actor, body, device))
    await remember(actor.accountId)
  }),

  /** PUT /v1/account/email: mails a link to another address; with it the account gets that address. */
  route(contracts.changeEmail, async ({ tools, actor, body }) => {
    await requestEmailChange(tools.sql, tools.mail, actor, body)
  }),

  /** POST /v1/account/verification: mails the link that confirms the account's address. */
  route(contracts.requestVerification, async ({ tools, actor }) => {
    await requestVerification(tools.sql, tools.mail, actor.accountId)
  }),

  /** POST /v1/account/verification/confirm: the holder of the link reads mail at the address. */
  route(contracts.verifyEmail, async ({ tools, body }) => {
    await verifyEmail(tools.sql, tools.mail, body.token)
  }),

  /** POST /v1/password-reset: mails a link for a new password, when an account has the address. */
  route(contracts.requestPasswordReset, async ({ tools, body }) => {
    refuseIfProviderOnly(tools)
    await requestPasswordReset(tools.sql, tools.mail, body.email)
  }),

  /**
   * POST /v1/password-reset/confirm: a new password for the holder of the link; every session ends. Where people sign in
   * with the identity provider alone, the link comes from the operator's terminal and signs in, as the last way in.
   */
  route(contracts.resetPassword, async ({ tools, body, device, setSession, remember }) => {
    const signsIn = tools.provider?.settings.only ? device : undefined
    const { accountId, sessionToken } = await resetPassword(tools.sql, tools.mail, body, signsIn)
    if (sessionToken !== undefined) setSession(sessionToken)
    await remember(accountId)
  }),
]
