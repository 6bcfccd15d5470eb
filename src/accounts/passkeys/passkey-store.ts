import type { Db, Tx } from '../../lib/sql.ts'
import type { Passkey } from './passkey-schema.ts'

const columns = (db: Db) => db`
  passkey_id as "passkeyId", name, synced, created_at as "createdAt", last_used_at as "lastUsedAt"`

/** What a device's answer is checked against. */
export type Credential = {
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
  synced: boolean
}

/** The passkeys of an account, oldest first. */
export const passkeysOf = async (db: Db, accountId: string): Promise<Passkey[]> => [
  ...(await db<Passkey[]>`
    select ${columns(db)} from passkey where account_id = ${accountId} order by created_at, passkey_id`),
]

export async function credentialIdsOf(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select credential_id as id from passkey where account_id = ${accountId}`
  return rows.map(({ id }) => id)
}

/** Returns the new passkey; undefined when the device's credential is known already. */
export async function insertPasskey(
  tx: Tx,
  given: Credential & { accountId: string; name: string },
): Promise<Passkey | undefined> {
  const [row] = await tx<Passkey[]>`
    insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
    values (${given.accountId}, ${given.name}, ${given.credentialId}, ${given.publicKey}, ${given.counter},
            ${given.transports}, ${given.synced}, clock_timestamp())
    on conflict (credential_id) do nothing
    returning ${columns(tx)}`
  return row
}

/** Returns whose passkey a device's credential is. */
export async function ownerOfCredential(
  db: Db,
  credentialId: string,
): Promise<{ accountId: string; email: string } | undefined> {
  const [row] = await db<{ accountId: string; email: string }[]>`
    select account_id as "accountId", email from passkey join account using (account_id)
    where credential_id = ${credentialId}`
  return row
}

/** Locks a passkey of an account, so that each count of its device is used once. */
export async function lockCredential(
  tx: Tx,
  { accountId, credentialId }: { accountId: string; credentialId: string },
): Promise<(Credential & { passkeyId: string; name: string }) | undefined> {
  const [row] = await tx<(Credential & { passkeyId: string; name: string })[]>`
    select passkey_id as "passkeyId", name, credential_id as "credentialId", public_key as "publicKey",
           counter::float8 as counter, transports, synced
    from passkey where credential_id = ${credentialId} and account_id = ${accountId} for update`
  return row
}

export async function recordUse(
  tx: Tx,
  passkeyId: string,
  { counter, synced }: { counter: number; synced: boolean },
): Promise<void> {
  await tx`
    update passkey set counter = ${counter}, synced = ${synced}, last_used_at = clock_timestamp()
    where passkey_id = ${passkeyId}`
}

type Ref = { accountId: string; passkeyId: string }

/** Returns whether the account has such a passkey. */
export async function setPasskeyName(tx: Tx, { accountId, passkeyId }: Ref, name: string): Promise<boolean> {
  const changed = await tx`
    update passkey set name = ${name} where passkey_id = ${passkeyId} and account_id = ${accountId}`
  return changed.count > 0
}

/** Returns the name of the passkey that was removed; undefined when the account has no such one. */
export async function deletePasskey(tx: Tx, { accountId, passkeyId }: Ref): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkey where passkey_id = ${passkeyId} and account_id = ${accountId} returning name`
  return row?.name
}

/** Returns how many passkeys the account had. */
export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<number> {
  const deleted = await tx`delete from passkey where account_id = ${accountId}`
  return deleted.count
}
