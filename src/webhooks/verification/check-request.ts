import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { epochMs } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { sentBody } from '../log/delivery-log-store.ts'
import type { WebhookRef } from '../schema.ts'
import { getWebhook } from '../subscriptions/list-webhooks.ts'
import { signingSecrets } from '../subscriptions/secret-store.ts'
import { type CheckResult, checkRequest } from './check-rules.ts'
import { type PastedRequest, readHeaders } from './request-rules.ts'

/** What an id of an event looks like: nothing else is looked up. */
const EVENT_ID = /^[A-Za-z0-9_-]+$/

/** Says why a request that a receiver of this webhook got does or does not verify. @throws AppError not_found */
export async function checkPastedRequest(
  sql: Sql,
  secretKey: Uint8Array,
  webhook: WebhookRef,
  pasted: PastedRequest & { secret?: string },
): Promise<CheckResult> {
  const { id } = await getWebhook(sql, webhook)
  const now = await databaseNow(sql)
  const { id: eventId = '' } = readHeaders(pasted.headers)
  return checkRequest(pasted, {
    secrets: await signingSecrets(sql, secretKey, id, now),
    receiverSecret: pasted.secret,
    sentBody: EVENT_ID.test(eventId) ? await sentBody(sql, webhook, eventId) : undefined,
    nowMs: epochMs(now),
  })
}
