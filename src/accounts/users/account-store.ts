import type { Db, Tx } from '../../lib/sql.ts'
import type { Account } from './account-schema.ts'
import { emailKey } from './email-rules.ts'

/** `passwordHash`: null until its owner chooses a password. */
type NewAccount = { email: string; name: string; passwordHash: string | null; operator: boolean; verified: boolean }

const columns = (db: Db) => db`
  account_id as "accountId", email, name, operator, email_verified_at as "emailVerifiedAt",
  disabled_at as "disabledAt", created_at as "createdAt"`

/** Returns the new account; undefined when the address has one already. */
export async function insertAccount(tx: Tx, given: NewAccount): Promise<Account | undefined> {
  const [row] = await tx<Account[]>`
    insert into account (email, email_key, name, password_hash, operator, email_verified_at, created_at)
    values (${given.email}, ${emailKey(given.email)}, ${given.name}, ${given.passwordHash}, ${given.operator},
            case when ${given.verified} then clock_timestamp() end, clock_timestamp())
    on conflict (email_key) do nothing
    returning ${columns(tx)}`
  return row
}

export async function accountExists(db: Db): Promise<boolean> {
  const rows = await db`select from account limit 1`
  return rows.length > 0
}

/** Every account, oldest first. */
export const allAccounts = async (db: Db): Promise<Account[]> => [
  ...(await db<Account[]>`select ${columns(db)} from account order by created_at, account_id`),
]

export async function accountOf(db: Db, accountId: string): Promise<Account | undefined> {
  const [row] = await db<Account[]>`select ${columns(db)} from account where account_id = ${accountId}`
  return row
}

type WithPassword = Account & { passwordHash: string | null }

export async function accountOfEmail(db: Db, email: string): Promise<WithPassword | undefined> {
  const [row] = await db<WithPassword[]>`
    select ${columns(db)}, password_hash as "passwordHash" from account where email_key = ${emailKey(email)}`
  return row
}

/** Returns null for an account without a password. */
export async function passwordHashOf(db: Db, accountId: string): Promise<string | null | undefined> {
  const [row] = await db<{ hash: string | null }[]>`
    select password_hash as hash from account where account_id = ${accountId}`
  return row?.hash
}

export async function setPassword(tx: Tx, accountId: string, passwordHash: string): Promise<void> {
  await tx`update account set password_hash = ${passwordHash} where account_id = ${accountId}`
}

export async function setAccountName(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx`update account set name = ${name} where account_id = ${accountId}`
}

/** Gives an account an address that its owner has proven. Returns false when another account has it. */
export async function setEmail(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const changed = await tx`
    update account set email = ${email}, email_key = ${emailKey(email)}, email_verified_at = clock_timestamp()
    where account_id = ${accountId}
      and not exists (select from account a where a.email_key = ${emailKey(email)} and a.account_id <> ${accountId})`
  return changed.count > 0
}

export async function removeAccount(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from account where account_id = ${accountId}`
}

/** Returns whether the address was not verified before. */
export async function setEmailVerified(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx<{ accountId: string }[]>`
    update account set email_verified_at = clock_timestamp()
    where email_key = ${emailKey(email)} and email_verified_at is null
    returning account_id as "accountId"`
  return row?.accountId
}

/** Returns whether this changes anything. */
export async function setDisabled(tx: Tx, accountId: string, disabled: boolean): Promise<boolean> {
  const changed = await tx`
    update account set disabled_at = case when ${disabled} then clock_timestamp() end
    where account_id = ${accountId} and (disabled_at is not null) <> ${disabled}`
  return changed.count > 0
}

/** Lets one transaction at a time decide who is first. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('first account', 0))`
}

/** Locks an account, for limits and changes of what belongs to it. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account | undefined> {
  const [row] = await tx<Account[]>`
    select ${columns(tx)} from account where account_id = ${accountId} for no key update`
  return row
}

/** Locks accounts, always in the same order. Returns those that exist. */
export const lockAccounts = async (tx: Tx, accountIds: string[]): Promise<Account[]> => [
  ...(await tx<Account[]>`
    select ${columns(tx)} from account where account_id = any (${accountIds}::uuid[])
    order by account_id for no key update`),
]

/** Locks an account that is deleted next. */
export async function lockAccountToDelete(tx: Tx, accountId: string): Promise<void> {
  await tx`select from account where account_id = ${accountId} for update`
}

/** Locks an account whose password was just checked. Returns false when it was changed meanwhile. */
export async function lockPassword(tx: Tx, accountId: string, passwordHash: string | null): Promise<boolean> {
  const rows = await tx`
    select from account
    where account_id = ${accountId} and password_hash is not distinct from ${passwordHash} for no key update`
  return rows.length > 0
}
