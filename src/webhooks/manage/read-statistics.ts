import { databaseNow } from '../../catalog/clock-store.ts'
import { DAY, HOUR, type Instant, plus } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'
import type { PeriodStatistics, WebhookStatistics } from './delivery-schema.ts'
import { countDeliveries, lastAttempts, sampleAnswerTimes } from './statistics-store.ts'

/** How the deliveries of a workspace's webhooks went in the last 24 hours and 30 days, and their last attempts. */
export async function readWebhookStatistics(db: Db, workspaceId: string, at?: Instant): Promise<WebhookStatistics[]> {
  const now = at ?? (await databaseNow(db))
  const day = await readPeriod(db, workspaceId, { since: plus(now, -DAY), until: now, step: HOUR })
  const month = await readPeriod(db, workspaceId, { since: plus(now, -LOG_KEPT_MS), until: now, step: DAY })
  const last = new Map((await lastAttempts(db, workspaceId)).map(({ webhookId, ...attempt }) => [webhookId, attempt]))
  return [...month.keys()].map((webhookId) => {
    const lastAttempt = last.get(webhookId)
    return {
      webhookId,
      day: day.get(webhookId) ?? NOTHING,
      month: month.get(webhookId) ?? NOTHING,
      ...(lastAttempt && { lastAttempt }),
    }
  })
}

const NOTHING: PeriodStatistics = { succeeded: 0, failed: 0, retrying: 0, notSent: 0 }

async function readPeriod(db: Db, workspaceId: string, period: Parameters<typeof sampleAnswerTimes>[2]) {
  const times = new Map(
    (await sampleAnswerTimes(db, workspaceId, period)).map(({ webhookId, ...own }) => [webhookId, own]),
  )
  const counts = await countDeliveries(db, workspaceId, period.since)
  return new Map<string, PeriodStatistics>(
    counts.map(({ webhookId, ...own }) => [webhookId, { ...own, ...times.get(webhookId) }]),
  )
}
