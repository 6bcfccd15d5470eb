import { type Instant, plus } from '../../lib/instant.ts'
import { reseal, seal, unseal } from '../../lib/seal.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { newSecret } from '../attempts/signing.ts'
import { MAX_SIGNING_KEYS, ROTATION_OVERLAP_MS } from '../rules.ts'

/** A sealed secret opens only for the webhook it belongs to. */
const contextOf = (webhookId: string): string => `webhook/${webhookId}`

/** Gives a webhook a new secret, sealed; answers it in the clear, `whsec_…`. */
export async function addSecret(tx: Tx, key: Uint8Array, webhookId: string, at: Instant): Promise<string> {
  const secret = newSecret()
  const { keyId, sealed } = seal(key, secret, contextOf(webhookId))
  await tx`
    insert into webhook_secret (webhook_id, key_id, sealed, created_at)
    values (${webhookId}, ${keyId}, ${sealed}, ${at})`
  return secret
}

/**
 * Lets the present secret sign for 24 hours more; the caller holds the webhook's lock and adds the new one. A secret
 * that was rotated out earlier keeps its own end, so a second rotation breaks no receiver.
 */
export async function retireSecret(tx: Tx, webhookId: string, at: Instant): Promise<void> {
  await tx`delete from webhook_secret where webhook_id = ${webhookId} and signs_until <= ${at}`
  await tx`
    update webhook_secret set signs_until = ${plus(at, ROTATION_OVERLAP_MS)}
    where webhook_id = ${webhookId} and signs_until is null`
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

/** The secret a receiver should have, and until when the one before it is still accepted. */
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
    limit 2`
  const [newest, previous] = rows
  if (!newest) return undefined
  const secret = unseal(key, newest.sealed, contextOf(webhookId))
  return { secret, ...(previous?.until && { previousValidUntil: previous.until }) }
}

/** Moves every stored secret from old keys to the current one, in one transaction; answers how many. */
export async function resealSecrets(sql: Sql, from: Uint8Array[], to: Uint8Array): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<{ id: string; webhookId: string; sealed: Uint8Array }[]>`
      select secret_id as id, webhook_id as "webhookId", sealed from webhook_secret for update`
    for (const row of rows) {
      const { keyId, sealed } = reseal([to, ...from], to, row.sealed, contextOf(row.webhookId))
      await tx`update webhook_secret set key_id = ${keyId}, sealed = ${sealed} where secret_id = ${row.id}`
    }
    return rows.length
  }) as Promise<number>
}
