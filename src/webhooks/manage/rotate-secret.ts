import type { Instant } from '../../lib/instant.ts'
import { plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { ROTATION_OVERLAP_MS } from '../rules.ts'
import type { WebhookRef } from '../schema.ts'
import { addSecret, retireSecrets } from '../subscriptions/secret-store.ts'
import { withLockedWebhook } from './operator.ts'

/** A new secret, until when the one before it signs too, and whether an older one stopped signing at once. */
export type RotatedSecret = { secret: string; previousValidUntil: Instant; retiredEarlier: boolean }

/**
 * Gives a webhook a new secret. For 24 hours every delivery is signed with the secret before it too. At most two keys
 * sign: a key that an earlier rotation within these 24 hours left signing is retired at once.
 * @throws AppError not_found
 */
export async function rotateSecret(
  sql: Sql,
  secretKey: Uint8Array,
  webhook: WebhookRef,
  now?: Instant,
): Promise<RotatedSecret> {
  return withLockedWebhook({ sql, now }, webhook, async (tx, _state, at) => {
    const previousValidUntil = plus(at, ROTATION_OVERLAP_MS)
    const retiredEarlier = await retireSecrets(tx, webhook.id, { at, until: previousValidUntil })
    const secret = await addSecret(tx, secretKey, webhook.id, at)
    return { secret, previousValidUntil, retiredEarlier }
  })
}
