import { describe, expect, it } from 'vitest'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { nextNotices } from '../../src/webhooks/attempts/notice-store.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import type { Operator } from '../../src/webhooks/manage/operator.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { passOnNotices } from '../../src/webhooks/rounds/pass-on-notices.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { addWorkspace, addWebhook as subscribe, tools } from '../support/webhooks/subscriptions.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant

describe('notices for deliveries that wait', () => {
  const db = testDatabase({ each: true })
  /** A webhook whose deliveries have a notice each, the last of them the oldest. */
  async function noticed(count: number) {
    const hook = await addWebhook(db.sql, { url: 'https://hooks.example.com/', at: AT })
    const ids = await addDeliveries(db.sql, hook, { at: plus(AT, DAY), count })
    for (const [n, id] of ids.entries())
      await db.sql`
        insert into delivery_notice (delivery_id, webhook_id, what, created_at, event_type)
        values (${id}, ${hook.id}, 'the webhook was paused', ${plus(AT, -n)}, 'price.changed')`
    return { hook, ids }
  }
  const pass = async (wanted: { webhookId?: string; before?: Instant; until?: number }) => {
    const passed: string[] = []
    let beats = 0
    const workflows = { changed: async ({ deliveryId }: { deliveryId: string }) => void passed.push(deliveryId) }
    const heartbeat = () => void beats++
    return { count: await passOnNotices(db.sql, workflows, { ...wanted, heartbeat }), passed, beats }
  }

  it('are passed on to the last one, the oldest first, and a sign of life is given after each few', async () => {
    const { hook, ids } = await noticed(40)
    expect((await nextNotices(db.sql, { limit: 2 })).map(({ deliveryId }) => deliveryId)).toEqual([ids[39], ids[38]])
    const { count, passed, beats } = await pass({ webhookId: hook.id })
    expect(count).toBe(40)
    expect(new Set(passed)).toEqual(new Set(ids))
    expect(beats).toBe(3)
    expect(await nextNotices(db.sql, { limit: 1 })).toEqual([])
  })

  it('are left to the next check where there is no more time', async () => {
    await noticed(3)
    expect(await pass({ until: performance.now() - 1 })).toEqual({ count: 0, passed: [], beats: 0 })
    expect(await nextNotices(db.sql, { limit: 9 })).toHaveLength(3)
    expect((await pass({ until: performance.now() + 60_000 })).count).toBe(3)
  })

  it('are passed on from before an instant, and none of that instant', async () => {
    const { ids } = await noticed(3)
    expect((await pass({ before: plus(AT, -1) })).passed).toEqual([ids[2]])
  })
})

describe('the workflow of a webhook', () => {
  const db = testDatabase({ each: true })
  const stored = async () => {
    const workspaceId = await addWorkspace(db.sql)
    return { workspaceId, id: await subscribe(db.sql, workspaceId, { name: 'Orders' }) }
  }

  it('is notified of what each button has done, and of nothing that was done before', async () => {
    const hook = await stored()
    const notified: unknown[] = []
    const workflows: Operator['workflows'] = {
      notifyWebhook: async (webhook, change) => void notified.push([webhook.id, webhook.name, change]),
    }
    const operator = { sql: db.sql, workflows }
    const notifiedBy = async (act: Promise<unknown>) => {
      await act
      return notified.splice(0)
    }
    const of = (change: string, name = 'Orders') => [[hook.id, name, change]]
    expect(await notifiedBy(pauseWebhook(operator, hook, 'by hand'))).toEqual(of('pause'))
    expect(await notifiedBy(pauseWebhook(operator, hook, 'by hand'))).toEqual([])
    expect(await notifiedBy(resumeWebhook(operator, hook))).toEqual(of('resume'))
    expect(await notifiedBy(resumeAndResend(operator, hook))).toEqual(of('resumeAndResend'))
    expect(await notifiedBy(editWebhook(operator, tools, hook, { name: 'Shop' }))).toEqual([])
    const url = 'https://hooks.example.com/moved'
    expect(await notifiedBy(editWebhook(operator, tools, hook, { url }))).toEqual(of('urlChanged', 'Shop'))
    expect(await notifiedBy(editWebhook(operator, tools, hook, { url }))).toEqual([])
    expect(await notifiedBy(deleteWebhook(operator, hook))).toEqual(of('deleted', 'Shop'))
  })

  it('is not notified of what was asked for by what is not an id: there is no such webhook', async () => {
    const hook = await stored()
    const operator = { sql: db.sql, workflows: { notifyWebhook: () => Promise.reject(new Error('notified')) } }
    for (const wrong of [
      { ...hook, id: 'x' },
      { ...hook, workspaceId: 'x' },
    ])
      for (const act of [
        () => pauseWebhook(operator, wrong, 'by hand'),
        () => resumeWebhook(operator, wrong),
        () => resumeAndResend(operator, wrong),
        () => editWebhook(operator, tools, wrong, { name: 'mine' }),
        () => sendTestEvent(operator, wrong),
        () => resendDelivery(operator, wrong, hook.id),
        () => rotateSecret(db.sql, tools.secretKey, wrong),
        () => deleteWebhook(operator, wrong),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'not_found' })
    await expect(resendDelivery(operator, hook, 'x')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('need not be there: what a button has done stays done while Temporal is away', async () => {
    const hook = await stored()
    const operator = { sql: db.sql, workflows: { notifyWebhook: () => Promise.reject(new Error('Temporal is away')) } }
    await pauseWebhook(operator, hook, 'by hand')
    expect(await db.sql`select state, paused_reason as reason from webhook`).toEqual([
      { state: 'paused', reason: 'by hand' },
    ])
    expect(await resumeAndResend(operator, hook)).toEqual({ resent: 0 })
    await deleteWebhook(operator, hook)
    expect(await db.sql`select from webhook`).toHaveLength(0)
  })
})
