import { looksLikeGroupId } from '../../aliases/group-rules.ts'
import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { readBody } from '../../lib/http/read-body.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'
import { type SubscriptionBody, subscriptionBody } from '../schema.ts'
import { resolveSubscription } from '../subscriptions/resolve-subscription.ts'
import { countMatches } from './match-store.ts'

/** What a subscription would have received: how many events of each type since an instant. */
type SubscriptionPreview = { since: Instant; events: number; byType: { [eventType: string]: number } }

/**
 * Counts what a webhook with this subscription would have received in the last 30 days, by the rules that match events
 * with webhooks. Groups that were deleted match nothing.
 * @throws AppError invalid_body with `field`
 */
export async function previewSubscription(
  sql: Sql,
  body: SubscriptionBody,
  now?: Instant,
): Promise<SubscriptionPreview> {
  const wanted = readBody(subscriptionBody, body, 'a subscription')
  const preview = await sql.begin('read only', async (tx) => {
    const since = plus(now ?? (await databaseNow(tx)), -LOG_KEPT_MS)
    const byType = await countMatches(
      tx,
      await resolveSubscription(tx, wanted, wanted.aliases.filter(looksLikeGroupId)),
      since,
    )
    return { since, byType, events: Object.values(byType).reduce((sum, count) => sum + count, 0) }
  })
  return preview as SubscriptionPreview
}
