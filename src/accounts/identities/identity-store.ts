import type { Db, Tx } from '../../lib/sql.ts'
import type { Identity } from './identity-schema.ts'

type Key = { issuer: string; subject: string }

/** Lets one transaction at a time decide whose identity this is. */
export async function lockIdentity(tx: Tx, { issuer, subject }: Key): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`identity ${issuer} ${subject}`}, 0))`
}

/** Returns whose identity this is. */
export async function ownerOfIdentity(
  db: Db,
  { issuer, subject }: Key,
): Promise<{ identityId: string; accountId: string } | undefined> {
  const [row] = await db<{ identityId: string; accountId: string }[]>`
    select identity_id as "identityId", account_id as "accountId" from account_identity
    where issuer = ${issuer} and subject = ${subject}`
  return row
}

/** Returns the id of the new identity; undefined when the account has one of this provider already. */
export async function insertIdentity(
  tx: Tx,
  given: Key & { accountId: string; email?: string },
): Promise<string | undefined> {
  const [row] = await tx<{ identityId: string }[]>`
    insert into account_identity (account_id, issuer, subject, email, created_at)
    values (${given.accountId}, ${given.issuer}, ${given.subject}, ${given.email ?? null}, clock_timestamp())
    on conflict do nothing
    returning identity_id as "identityId"`
  return row?.identityId
}

export async function recordIdentityUse(tx: Tx, identityId: string, email: string | undefined): Promise<void> {
  await tx`
    update account_identity set last_used_at = clock_timestamp(), email = coalesce(${email ?? null}, email)
    where identity_id = ${identityId}`
}

/** The identities of an account, oldest first. */
export const identitiesOf = async (db: Db, accountId: string): Promise<Identity[]> => [
  ...(await db<Identity[]>`
    select identity_id as "identityId", issuer, email, created_at as "createdAt", last_used_at as "lastUsedAt"
    from account_identity where account_id = ${accountId} order by created_at, identity_id`),
]

/** How an account is protected and can be signed in to otherwise. */
export async function otherWaysIn(
  db: Db,
  accountId: string,
): Promise<{ password: boolean; passkeys: number; codes: boolean; identities: number }> {
  const [row] = await db<{ password: boolean; passkeys: number; codes: boolean; identities: number }[]>`
    select password_hash is not null as password,
           (select count(*)::int from passkey p where p.account_id = a.account_id) as passkeys,
           exists (select from account_totp t
                   where t.account_id = a.account_id and t.confirmed_at is not null) as codes,
           (select count(*)::int from account_identity i where i.account_id = a.account_id) as identities
    from account a where account_id = ${accountId}`
  return row ?? { password: false, passkeys: 0, codes: false, identities: 0 }
}

/** Returns whether the account had such an identity. */
export async function deleteIdentity(
  tx: Tx,
  { accountId, identityId }: { accountId: string; identityId: string },
): Promise<boolean> {
  const deleted = await tx`
    delete from account_identity where identity_id = ${identityId} and account_id = ${accountId}`
  return deleted.count > 0
}

/** Returns how many identities the account had. */
export async function deleteIdentitiesOf(tx: Tx, accountId: string): Promise<number> {
  const deleted = await tx`delete from account_identity where account_id = ${accountId}`
  return deleted.count
}
