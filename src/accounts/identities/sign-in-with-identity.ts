import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { OidcSettings } from '../../lib/oidc-settings.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { type Device, startSession } from '../sessions/start-session.ts'
import type { Account } from '../users/account-schema.ts'
import { accountOfEmail, lockAccount } from '../users/account-store.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { accountDisabled } from '../users/require-account.ts'
import { applyGroups, lockForGroups } from './apply-groups.ts'
import { createAccountOf } from './create-account-of.ts'
import { finishHandshake, type ProviderReturn } from './finish-handshake.ts'
import type { Claims } from './identity-schema.ts'
import { insertIdentity, lockIdentity, otherWaysIn, ownerOfIdentity, recordIdentityUse } from './identity-store.ts'
import { hasConfirmedEmail, mayLinkByEmail } from './linking-rules.ts'
import type { IdentityProvider } from './provider.ts'

type Notify = Parameters<Parameters<typeof withNotices>[2]>[1]
type Owner = { accountId: string; identityId: string }

/**
 * Signs in who signed in at the identity provider: the account of that identity, the one of its confirmed address, or a new
 * one. Then the account has the rights of its groups. No code is asked for: a second factor is the provider's.
 * @param warn tells operators of workspaces in the mapping that do not exist
 * @throws AppError identity_refused, identity_unavailable, identity_in_use, forbidden
 */
export async function signInWithIdentity(
  {
    sql,
    mail,
    provider,
    warn,
  }: { sql: Sql; mail: AccountMail; provider: IdentityProvider; warn: (line: string) => void },
  returned: ProviderReturn,
  device: Device,
): Promise<{ account: Account; sessionToken: string }> {
  const { settings } = provider
  const claims = await finishHandshake(sql, provider, returned)
  const { missing, ...done } = await withNotices(sql, mail, async (tx, notify) => {
    await lockForGroups(tx, settings)
    await lockIdentity(tx, claims)
    const { accountId, identityId } = await findOrMake(tx, provider, claims, notify)
    const locked = await lockAccount(tx, accountId)
    if (!locked || locked.disabledAt) throw accountDisabled()
    const missing = await applyGroups(tx, settings, { accountId, groups: claims.groups })
    await recordIdentityUse(tx, identityId, claims.email)
    const began = { identityId, lifetimeMs: settings.sessionMs }
    const sessionToken = await startSession(tx, accountId, device, { provider: settings.name }, began)
    return { account: (await lockAccount(tx, accountId))!, sessionToken, missing }
  })
  for (const name of missing) warn(`PRICETAPE_OIDC_ROLES: there is no workspace ${name}`)
  return done
}

async function findOrMake(tx: Tx, provider: IdentityProvider, claims: Claims, notify: Notify): Promise<Owner> {
  const known = await ownerOfIdentity(tx, claims)
  if (known) return known
  const { settings } = provider
  const { name } = settings
  if (!hasConfirmedEmail(claims)) throw noConfirmedEmail(name, claims)
  const found = await accountOfEmail(tx, claims.email)
  const accountId = found
    ? await linked(tx, found.accountId, settings, notify)
    : await createAccountOf(tx, provider, claims)
  const identityId = await insertIdentity(tx, { ...claims, accountId })
  if (identityId === undefined) throw linkItYourself(settings, claims.email)
  if (found) await recordAction(tx, 'identity_linked', { accountId, subject: accountId, detail: { provider: name } })
  return { accountId, identityId }
}

/** The account of a confirmed address, once it is sure that linking it takes it away from no one. */
async function linked(tx: Tx, accountId: string, settings: OidcSettings, notify: Notify): Promise<string> {
  const account = await lockAccount(tx, accountId)
  if (!account || account.disabledAt) throw accountDisabled()
  if (!mayLinkByEmail(account, await otherWaysIn(tx, accountId))) throw linkItYourself(settings, account.email)
  await notify(account.email, { kind: 'identity_linked', about: settings.name })
  return accountId
}

const noConfirmedEmail = (name: string, { email }: Claims): AppError =>
  new AppError(
    'forbidden',
    email === undefined
      ? `${name} does not say your e-mail address, which an account here needs. Ask its administrator.`
      : `${name} has not confirmed that ${email} is your e-mail address. Confirm it there, then try again.`,
  )

const linkItYourself = ({ name, only }: OidcSettings, email: string): AppError => {
  const how = only
    ? `An operator gets a link that signs in to it with: npx pricetape account link ${email}. Open it, then link`
    : 'Sign in to it as before, then link'
  return new AppError(
    'identity_in_use',
    `There is an account with the address ${email} already. ${how} ${name} under Account.`,
  )
}
