import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Sql } from '../../lib/sql.ts'
import { lockAccount, lockPassword } from '../users/account-store.ts'
import { confirmPasswordAlone, wrongPassword } from '../users/confirm-password.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { withNotices } from '../users/mail/notify-owner.ts'
import { accountDisabled, requireAccount } from '../users/require-account.ts'
import { finishHandshake, type ProviderReturn } from './finish-handshake.ts'
import type { Identity } from './identity-schema.ts'
import {
  deleteIdentitiesOf,
  deleteIdentity,
  identitiesOf,
  insertIdentity,
  lockIdentity,
  otherWaysIn,
  ownerOfIdentity,
} from './identity-store.ts'
import { mayUnlink } from './linking-rules.ts'
import type { IdentityProvider } from './provider.ts'

type Owner = { accountId: string; email: string; sessionId: string }

/** Returns the identities of an account, and whether its owner could sign in without them. */
export async function listIdentities(
  sql: Sql,
  accountId: string,
  only: boolean,
): Promise<{ identities: Identity[]; hasPassword: boolean; mayUnlink: boolean }> {
  const ways = await otherWaysIn(sql, accountId)
  const identities = await identitiesOf(sql, accountId)
  return { identities, hasPassword: ways.password, mayUnlink: mayUnlink({ ...ways, only }) }
}

/**
 * Links the account of a session to who signed in at the provider, and notifies its owner. The rights of its groups come
 * with the next sign-in there.
 * @throws AppError identity_refused, identity_unavailable, identity_in_use
 */
export async function linkIdentity(
  sql: Sql,
  mail: AccountMail,
  provider: IdentityProvider,
  { accountId, email, sessionId }: Owner,
  returned: ProviderReturn,
): Promise<void> {
  const { name } = provider.settings
  const claims = await finishHandshake(sql, provider, returned, sessionId)
  await withNotices(sql, mail, async (tx, notify) => {
    await lockIdentity(tx, claims)
    const account = await lockAccount(tx, accountId)
    if (!account || account.disabledAt) throw accountDisabled()
    const owner = await ownerOfIdentity(tx, claims)
    if (owner?.accountId === accountId) return
    if (owner) throw inUse(`This sign-in of ${name} is linked to another account here.`)
    if ((await insertIdentity(tx, { ...claims, accountId })) === undefined)
      throw inUse(`Your account is linked to another sign-in of ${name}: unlink that first.`)
    await recordAction(tx, 'identity_linked', { accountId, subject: accountId, detail: { provider: name } })
    await notify(email, { kind: 'identity_linked', about: name })
  })
}

const inUse = (message: string): AppError => new AppError('identity_in_use', message)

/**
 * Unlinks an identity: it signs no one in from then on. Sessions that it started stay. Its owner is notified.
 * @param provider what it is called, and whether there is no other way to sign in
 * @throws AppError not_found, last_way_in, invalid_body (field `currentPassword`), rate_limited, forbidden
 */
export async function unlinkIdentity(
  sql: Sql,
  mail: AccountMail,
  owner: Owner,
  given: { identityId: string; currentPassword: string },
  provider: { name: string; only: boolean },
): Promise<void> {
  const { accountId, email } = owner
  const present = await confirmPasswordAlone(sql, owner, given.currentPassword)
  await withNotices(sql, mail, async (tx, notify) => {
    if (!(await lockPassword(tx, accountId, present))) throw wrongPassword()
    if (!mayUnlink({ ...(await otherWaysIn(tx, accountId)), only: provider.only })) throw lastWayIn()
    const { identityId } = given
    if (!isId(identityId) || !(await deleteIdentity(tx, { accountId, identityId })))
      throw new AppError('not_found', 'Your account has no such link: it may be removed already.')
    await recordAction(tx, 'identity_unlinked', { accountId, subject: accountId, detail: { provider: provider.name } })
    await notify(email, { kind: 'identity_unlinked', about: provider.name })
  })
}

const lastWayIn = (): AppError =>
  new AppError('last_way_in', 'You could not sign in any more: choose a password or add a passkey first.')

/**
 * Unlinks an account from every provider, at an operator's request: the person is someone else there now. Its owner is
 * notified. Returns how many links there were.
 * @throws AppError not_found
 */
export async function resetIdentities(sql: Sql, mail: AccountMail, accountId: string): Promise<number> {
  return withNotices(sql, mail, async (tx, notify) => {
    const { email } = await requireAccount(tx, accountId)
    const removed = await deleteIdentitiesOf(tx, accountId)
    if (removed === 0) return removed
    await recordAction(tx, 'identities_reset', { subject: accountId, detail: { removed } })
    await notify(email, { kind: 'identities_reset' })
    return removed
  })
}
