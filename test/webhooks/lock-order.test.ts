import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { openAttempt } from '../../src/webhooks/attempts/attempt-store.ts'
import { failUnsent, recordFault, recordSuccess } from '../../src/webhooks/attempts/outcome-store.ts'
import { recordFailure } from '../../src/webhooks/attempts/record-failure.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import { resealSecrets } from '../../src/webhooks/subscriptions/reseal-secrets.ts'
import type { AttemptKey } from '../../src/webhooks/workflow-schema.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'

const at = '2026-11-21T10:00:00.000Z' as Instant
const FIRST = { cycle: 1, number: 1, run: 1 }
const HOUR = 3_600_000

/** The room's lock order, webhook → delivery → attempt, with locks that the test holds itself. */
describe('the lock order', () => {
  const db = testDatabase()
  const operator = () => ({ sql: db.sql, workflows: { notifyWebhook: async () => {} }, now: plus(at, HOUR) })

  /** A webhook in a failing streak, with one delivery whose first attempt is open. */
  async function openedAttempt() {
    const webhook = await addWebhook(db.sql, { url: 'https://example.com', at })
    await db.sql`update webhook set failures_in_row = 2, first_failure_at = ${at} where webhook_id = ${webhook.id}`
    const [deliveryId] = await addDeliveries(db.sql, webhook, { at })
    const key: AttemptKey = { deliveryId: deliveryId!, ...FIRST }
    await openAttempt(db.sql, key, at)
    return { webhook, key }
  }
  type Subject = Awaited<ReturnType<typeof openedAttempt>>
  const succeeded = { kind: 'succeeded', text: 'HTTP 200 after 1 ms', status: 200, durationMs: 1 } as const
  const failed = { kind: 'failed', text: 'HTTP 500 after 1 ms', status: 500, durationMs: 1 } as const

  const fault = { kind: 'platform', text: 'An internal error.', durationMs: 0 } as const

  const writers: [name: string, write: (subject: Subject) => Promise<unknown>][] = [
    ['recording a success', ({ key }) => recordSuccess(db.sql, key, succeeded, at)],
    ['recording a failure', ({ key }) => recordFailure(db.sql, key, failed, at)],
    [
      'failing an unsent delivery',
      async ({ key }) => {
        await db.sql`delete from attempt where delivery_id = ${key.deliveryId}`
        await failUnsent(db.sql, key, at)
      },
    ],
    ['pausing', ({ webhook }) => pauseWebhook(operator(), webhook, 'Paused by hand.')],
    ['resuming', ({ webhook }) => resumeWebhook(operator(), webhook)],
    ['resuming and resending', ({ webhook }) => resumeAndResend(operator(), webhook)],
    ['resending', ({ webhook, key }) => resendDelivery(operator(), webhook, key.deliveryId)],
    ['deleting', ({ webhook }) => deleteWebhook(operator(), webhook)],
  ]

  it.each(writers)('%s waits for the webhook before it locks a delivery or an attempt', async (_name, write) => {
    const subject = await openedAttempt()
    const { deliveryId } = subject.key
    let writing: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await tx`select from webhook where webhook_id = ${subject.webhook.id} for update`
      writing = write(subject).catch((error) => error)
      await someoneWaits(db.sql)
      await tx`select from delivery where delivery_id = ${deliveryId} for update nowait`
      await tx`select from attempt where delivery_id = ${deliveryId} for update nowait`
    })
    expect(await writing).not.toBeInstanceOf(Error)
  })

  it.each<[name: string, write: (subject: Subject) => Promise<unknown>]>([
    ...writers.slice(0, 2),
    ['recording our fault', ({ key }) => recordFault(db.sql, key, fault, at)],
    ['deleting', ({ webhook }) => deleteWebhook(operator(), webhook)],
  ])('%s waits for the delivery before it locks the attempt', async (_name, write) => {
    const subject = await openedAttempt()
    const { deliveryId } = subject.key
    let writing: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await tx`select from delivery where delivery_id = ${deliveryId} for update`
      writing = write(subject).catch((error) => error)
      await someoneWaits(db.sql)
      await tx`select from attempt where delivery_id = ${deliveryId} for update nowait`
    })
    expect(await writing).not.toBeInstanceOf(Error)
  })

  it('deleting waits for no delivery of another webhook', async () => {
    const [subject, other] = [await openedAttempt(), await openedAttempt()]
    await db.sql.begin(async (tx) => {
      await tx`select from delivery where delivery_id = ${other.key.deliveryId} for update`
      // A statement that waits for too long fails.
      await deleteWebhook(operator(), subject.webhook)
    })
    expect(await db.sql`select from webhook where webhook_id = ${subject.webhook.id}`).toEqual([])
  })

  it('moving secrets to another key waits for a webhook whose secret may be rotated now', async () => {
    const { webhook } = await openedAttempt()
    let resealing: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await tx`select from webhook where webhook_id = ${webhook.id} for update`
      const next = new Uint8Array(32).fill(8)
      resealing = db.sql.begin((own) => resealSecrets(own, [TEST_KEY], next)).then(() => 'resealed')
      expect(await Promise.race([resealing, someoneWaits(db.sql)])).toBeUndefined()
    })
    expect(await resealing).toBe('resealed')
  })

  it('a round that finds a webhook paused fails nothing of it once it has been resumed', async () => {
    const webhook = await addWebhook(db.sql, { url: 'https://example.com', at })
    await addDeliveries(db.sql, webhook, { at, count: 5 })
    await db.sql`update webhook set state = 'paused' where webhook_id = ${webhook.id}`
    let failing: Promise<number> | undefined
    await db.sql.begin(async (tx) => {
      await tx`update webhook set state = 'active' where webhook_id = ${webhook.id}`
      failing = failPausedDue(db.sql, at)
      await Promise.race([someoneWaits(db.sql), failing])
    })
    await failing
    expect(await statuses(webhook.id)).toEqual([['pending', null, 5]])
  })

  it('an attempt waits for a resend that is under way, and finds that it is not its turn', async () => {
    const webhook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [deliveryId] = await addDeliveries(db.sql, webhook, { at })
    let opening: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await tx`update delivery set cycle = 2 where delivery_id = ${deliveryId!}`
      opening = openAttempt(db.sql, { deliveryId: deliveryId!, ...FIRST }, at)
      await Promise.race([someoneWaits(db.sql), opening])
    })
    expect(await opening).toEqual({ refusal: 'stale' })
  })

  it('an attempt that found its webhook paused leaves the delivery pending once it has been resumed', async () => {
    const webhook = await addWebhook(db.sql, { url: 'https://example.com', at })
    const [deliveryId] = await addDeliveries(db.sql, webhook, { at })
    await db.sql`update delivery set claimed_at = ${at} where delivery_id = ${deliveryId!}`
    await db.sql`update webhook set state = 'paused' where webhook_id = ${webhook.id}`
    const key = { deliveryId: deliveryId!, ...FIRST }
    expect(await openAttempt(db.sql, key, at)).toEqual({ refusal: 'paused' })
    await resumeWebhook(operator(), webhook)
    await failUnsent(db.sql, key, at)
    expect(await statuses(webhook.id)).toEqual([['pending', null, 1]])
  })

  async function statuses(webhookId: string) {
    const rows = await db.sql`
      select status, not_sent as "notSent", count(*)::int as count from delivery
      where webhook_id = ${webhookId} group by 1, 2 order by 1, 2`
    return rows.map((row) => [row.status, row.notSent, row.count])
  }
})
