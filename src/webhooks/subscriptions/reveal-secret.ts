import { databaseNow } from '../../catalog/clock/clock-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { WebhookRef } from '../schema.ts'
import { getWebhook } from './list-webhooks.ts'
import { newestSecret, type RevealedSecret } from './secret-store.ts'

/** The newest secret; during a rotation, also until when the one before it signs. @throws AppError not_found */
export async function revealSecret(
  db: Db,
  secretKey: Uint8Array,
  webhook: WebhookRef,
  now?: Instant,
): Promise<RevealedSecret> {
  const { id } = await getWebhook(db, webhook)
  const revealed = await newestSecret(db, secretKey, id, now ?? (await databaseNow(db)))
  if (!revealed) throw new Error(`webhook ${id} has no secret`)
  return revealed
}
