import type { Db, Tx } from '../../../lib/sql.ts'
import { tokenHash } from '../../new-token.ts'
import { emailKey } from '../email-rules.ts'
import { LINK_EVERY_MS, LINK_LIFETIME_MS, LINKS_TO_ADDRESS, type LinkKind } from './link-rules.ts'

/** `accountId`: the account that gets the address. `byOperator`: it is not mailed, so it counts toward nothing. */
type NewLink = { kind: LinkKind; email: string; token: string; accountId?: string; byOperator?: boolean }

/**
 * Stores a link in place of the one of this kind and address before it. Returns false when that one is less than a
 * minute old, or the address got too many: then that one stays, so no one who asks again and again makes it void.
 */
export async function saveLink(
  db: Db,
  { kind, email, token, accountId, byOperator = false }: NewLink,
): Promise<boolean> {
  const lifetime = LINK_LIFETIME_MS[kind]
  const everyMs = kind === 'first_account' ? 0 : LINK_EVERY_MS
  const isCounted = kind !== 'first_account' && !byOperator
  const bucket = `link:${kind}:${emailKey(email)}`
  const saved = await db`
    insert into account_link as l (kind, email_key, email, account_id, token_hash, created_at, expires_at)
    select ${kind}, ${emailKey(email)}, ${email}, ${accountId ?? null}::uuid, ${tokenHash(token)}::bytea, clock_timestamp(),
           clock_timestamp() + ${lifetime === undefined ? null : `${lifetime} ms`}::interval
    where case
      when ${!isCounted} then true
      when exists (select from account_link where kind = ${kind} and email_key = ${emailKey(email)}
                     and created_at > clock_timestamp() - ${`${everyMs} ms`}::interval) then false
      else (select wait <= 0 from draw_tokens(array[${bucket}], array[${LINKS_TO_ADDRESS.rate}::float8],
                                              array[${LINKS_TO_ADDRESS.burst}::int])) end
    on conflict (kind, email_key) do update
    set email = excluded.email, token_hash = excluded.token_hash, created_at = excluded.created_at,
        expires_at = excluded.expires_at, account_id = excluded.account_id
    where l.created_at <= clock_timestamp() - ${`${everyMs} ms`}::interval`
  return saved.count > 0
}

/** Uses a link up. Returns the address it was for; undefined when it was used, replaced or has expired. */
export async function useLink(tx: Tx, kind: LinkKind, token: string): Promise<string | undefined> {
  const [row] = await tx<{ email: string }[]>`
    delete from account_link
    where kind = ${kind} and token_hash = ${tokenHash(token)} and (expires_at is null or expires_at > clock_timestamp())
    returning email`
  return row?.email
}

/** Uses a link to another address up. Returns the address and the account that gets it. */
export async function useEmailChange(tx: Tx, token: string): Promise<{ email: string; accountId: string } | undefined> {
  const [row] = await tx<{ email: string; accountId: string }[]>`
    delete from account_link
    where kind = 'change_email' and token_hash = ${tokenHash(token)} and expires_at > clock_timestamp()
    returning email, account_id as "accountId"`
  return row
}

/** Removes the links of an address that a change of password makes void. */
export async function forgetLinks(tx: Tx, kind: LinkKind, email: string): Promise<void> {
  await tx`delete from account_link where kind = ${kind} and email_key = ${emailKey(email)}`
}

/** Removes the links with which an account would get another address. */
export async function removeEmailChanges(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from account_link where kind = 'change_email' and account_id = ${accountId}`
}

export async function removeAllEmailChanges(tx: Tx): Promise<void> {
  await tx`delete from account_link where kind = 'change_email'`
}

/** Returns how many expired links there were. */
export async function deleteExpiredLinks(db: Db): Promise<number> {
  return (await db`delete from account_link where expires_at <= clock_timestamp()`).count
}
