import type { Instant } from '../../lib/instant.ts'
import { reseal, seal, unseal } from '../../lib/seal.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { newSecret } from '../attempts/signing.ts'
import { MAX_SIGNING_KEYS } from '../rules.ts'

/** A sealed secret opens only for the webhook it belongs to. */
const contextOf = (webhookId: string): string => `webhook/${webhookId}`

/** Gives a webhook a new secret, sealed. Returns it in the clear, `whsec_…`. */
export async function addSecret(tx: Tx, key: Uint8Array, webhookId: string, at: Instant): Promise<string> {
  const secret = newSecret()
  const { keyId, sealed } = seal(key, secret, contextOf(webhookId))
  await tx`
    insert into webhook_secret (webhook_id, key_id, sealed, created_at)
    values (${webhookId}, ${keyId}, ${sealed}, ${at})`
  return secret
}

/**
 * Lets the current secret sign until `until`, and deletes every older one, so that with the new secret two keys sign.
 * The caller holds the webhook's lock and adds the new one. Returns whether an older one still signed.
 */
export async function retireSecrets(
  tx: Tx,
  webhookId: string,
  { at, until }: { at: Instant; until: Instant },
): Promise<boolean> {
  const older = await tx<{ signed: boolean }[]>`
    delete from webhook_secret where webhook_id = ${webhookId} and signs_until is not null
    returning signs_until > ${at} as signed`
  await tx`
    update webhook_secret set signs_until = ${until} where webhook_id = ${webhookId}`
  return older.some((secret) => secret.signed)
}

/** The keys that sign a delivery at `now`, newest first: one, or two in the 24 hours after a rotation. */
export async function signingSecrets(db: Db, key: Uint8Array, webhookId: string, now: Instant): Promise<string[]> {
  const rows = await db<{ sealed: Uint8Array }[]>`
    select sealed from webhook_secret
    where webhook_id = ${webhookId} and (signs_until is null or signs_until > ${now})
    order by signs_until desc nulls first, secret_id desc
    limit ${MAX_SIGNING_KEYS}`
  return rows.map((row) => unseal(key, row.sealed, contextOf(webhookId)))
}

/** The secret a receiver should have, and until when the one before it signs too. */
export type RevealedSecret = { secret: string; previousValidUntil?: Instant }

export async function newestSecret(
  db: Db,
  key: Uint8Array,
  webhookId: string,
  now: Instant,
): Promise<RevealedSecret | undefined> {
  const rows = await db<{ sealed: Uint8Array; until: Instant | null }[]>`
    select sealed, signs_until as until from webhook_secret
    where webhook_id = ${webhookId} and (signs_until is null or signs_until > ${now})
    order by signs_until desc nulls first, secret_id desc
    limit ${MAX_SIGNING_KEYS}`
  const [newest, previous] = rows
  if (!newest) return undefined
  const secret = unseal(key, newest.sealed, contextOf(webhookId))
  return { secret, ...(previous?.until && { previousValidUntil: previous.until }) }
}

/** Locks every webhook, so that no secret is added or retired meanwhile. Returns all secrets. */
export async function lockSecrets(tx: Tx): Promise<{ id: string; webhookId: string; sealed: Uint8Array }[]> {
  await tx`select from webhook order by webhook_id for no key update`
  return tx<{ id: string; webhookId: string; sealed: Uint8Array }[]>`
    select secret_id as id, webhook_id as "webhookId", sealed from webhook_secret order by secret_id`
}

/** Seals one secret with another key; the secret itself stays the same. */
export async function resealSecret(
  tx: Tx,
  secret: { id: string; webhookId: string; sealed: Uint8Array },
  from: Uint8Array[],
  to: Uint8Array,
): Promise<void> {
  const { keyId, sealed } = reseal([to, ...from], to, secret.sealed, contextOf(secret.webhookId))
  await tx`update webhook_secret set key_id = ${keyId}, sealed = ${sealed} where secret_id = ${secret.id}`
}

/** Returns the ids of the keys that webhook secrets are sealed with. */
export async function secretKeyIds(db: Db): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select distinct key_id as id from webhook_secret`
  return rows.map(({ id }) => id)
}

/** How many webhook secrets were sealed with another key than this one, and cannot be opened. */
export async function countSecretsOfOtherKeys(db: Db, keyId: string): Promise<number> {
  const [row] = await db<{ n: number }[]>`select count(*)::int as n from webhook_secret where key_id <> ${keyId}`
  return row!.n
}
