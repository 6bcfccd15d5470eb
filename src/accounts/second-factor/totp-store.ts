import type { Instant } from '../../lib/instant.ts'
import { sealedWith } from '../../lib/seal.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { tokenHash } from '../new-token.ts'

/** A sealed secret opens only for its account. */
export const contextOf = (accountId: string): string => `totp/${accountId}`

/** Keeps a secret that is asked for from when a code of it is entered. Returns false where one is in use. */
export async function savePending(tx: Tx, accountId: string, sealed: Uint8Array): Promise<boolean> {
  const saved = await tx`
    insert into account_totp as t (account_id, sealed, created_at)
    values (${accountId}, ${sealed}, clock_timestamp())
    on conflict (account_id) do update
    set sealed = excluded.sealed, created_at = excluded.created_at, last_period = 0
    where t.confirmed_at is null`
  return saved.count > 0
}

export type LockedTotp = { sealed: Uint8Array; lastPeriod: number; isConfirmed: boolean }

/** Locks an account's second factor, so that one code is used once. */
export async function lockTotp(tx: Tx, accountId: string): Promise<LockedTotp | undefined> {
  const [row] = await tx<LockedTotp[]>`
    select sealed, last_period::float8 as "lastPeriod", confirmed_at is not null as "isConfirmed"
    from account_totp where account_id = ${accountId} for update`
  return row
}

/** Records the period whose code was used; the first one confirms that the secret has arrived. */
export async function usePeriod(tx: Tx, accountId: string, period: number): Promise<void> {
  await tx`
    update account_totp set last_period = ${period}, confirmed_at = coalesce(confirmed_at, clock_timestamp())
    where account_id = ${accountId}`
}

export async function insertRecoveryCodes(tx: Tx, accountId: string, codes: string[]): Promise<void> {
  await tx`
    insert into recovery_code (account_id, code_hash)
    select ${accountId}::uuid, decode(hash, 'hex')
    from unnest(${codes.map((code) => Buffer.from(tokenHash(code)).toString('hex'))}::text[]) as hash`
}

/** Uses a recovery code up. Returns whether the account had it. */
export async function useRecoveryCode(tx: Tx, accountId: string, code: string): Promise<boolean> {
  const used = await tx`delete from recovery_code where account_id = ${accountId} and code_hash = ${tokenHash(code)}`
  return used.count > 0
}

/** Returns whether a second factor was in use. */
export async function removeTotp(tx: Tx, accountId: string): Promise<boolean> {
  const removed = await tx<{ wasOn: boolean }[]>`
    delete from account_totp where account_id = ${accountId} returning confirmed_at is not null as "wasOn"`
  return removed[0]?.wasOn ?? false
}

/** What an account's owner sees of it. */
export type TotpState = { since: Instant; recoveryCodes: number }

/** Returns since when codes are asked for; undefined where they are not. */
export async function totpState(db: Db, accountId: string): Promise<TotpState | undefined> {
  const [row] = await db<TotpState[]>`
    select confirmed_at as since,
           (select count(*)::int from recovery_code c where c.account_id = t.account_id) as "recoveryCodes"
    from account_totp t where account_id = ${accountId} and confirmed_at is not null`
  return row
}

/** Locks the sealed secret of every account, for another key. */
export const lockTotpSecrets = (tx: Tx): Promise<{ accountId: string; sealed: Uint8Array }[]> =>
  tx<{ accountId: string; sealed: Uint8Array }[]>`
    select account_id as "accountId", sealed from account_totp order by account_id for update`

/** Returns the ids of the keys that the secrets of authenticator apps are sealed with. */
export async function totpKeyIds(db: Db): Promise<Set<string>> {
  const rows = await db<{ sealed: Uint8Array }[]>`select substring(sealed from 1 for 8) as sealed from account_totp`
  return new Set(rows.map(({ sealed }) => sealedWith(sealed)))
}

export async function replaceTotpSecret(tx: Tx, accountId: string, sealed: Uint8Array): Promise<void> {
  await tx`update account_totp set sealed = ${sealed} where account_id = ${accountId}`
}
