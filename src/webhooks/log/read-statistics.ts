import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { groupBy } from '../../lib/collections.ts'
import { DAY, HOUR, type Instant, plus } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { LOG_KEPT_MS } from '../attempts/delivery-rules.ts'
import type { PeriodStatistics, WebhookStatistics } from './delivery-schema.ts'
import { countDeliveries, lastAttempts, listWebhookIds, type Period, sampleAnswerTimes } from './statistics-store.ts'

/** How the deliveries of a workspace's webhooks went in the last 24 hours and 30 days, and their last attempts. */
export async function readWebhookStatistics(db: Db, workspaceId: string, at?: Instant): Promise<WebhookStatistics[]> {
  const now = at ?? (await databaseNow(db))
  const day = await readPeriod(db, workspaceId, { since: plus(now, -DAY), until: now, step: HOUR })
  const month = await readPeriod(db, workspaceId, { since: plus(now, -LOG_KEPT_MS), until: now, step: DAY })
  const last = new Map((await lastAttempts(db, workspaceId)).map(({ webhookId, ...attempt }) => [webhookId, attempt]))
  return (await listWebhookIds(db, workspaceId)).map((webhookId) => {
    const lastAttempt = last.get(webhookId)
    return { webhookId, day: day(webhookId), month: month(webhookId), ...(lastAttempt && { lastAttempt }) }
  })
}

const NOTHING = { succeeded: 0, failed: 0, retrying: 0, notSent: 0 }

/** Returns the statistics of each webhook by its id. */
async function readPeriod(db: Db, workspaceId: string, period: Period): Promise<(id: string) => PeriodStatistics> {
  const times = new Map(
    (await sampleAnswerTimes(db, workspaceId, period)).map(({ webhookId, ...own }) => [webhookId, own]),
  )
  const { since, until, step } = period
  const starts = Array.from({ length: Math.round((Date.parse(until) - Date.parse(since)) / step) }, (_, n) =>
    plus(since, n * step),
  )
  const counts = groupBy(await countDeliveries(db, workspaceId, period), ({ webhookId }) => webhookId)
  return (id) => {
    const made = new Map(counts.get(id)?.map(({ webhookId: _, ...step }) => [step.at, step]))
    const steps = starts.map((at) => made.get(at) ?? { ...NOTHING, at })
    return {
      succeeded: sum(steps, 'succeeded'),
      failed: sum(steps, 'failed'),
      retrying: sum(steps, 'retrying'),
      notSent: sum(steps, 'notSent'),
      ...times.get(id),
      steps,
    }
  }
}

const sum = <Name extends string>(steps: readonly Record<Name, number>[], name: Name): number =>
  steps.reduce((total, step) => total + step[name], 0)
