import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/events/schema.ts'
import { plus } from '../../src/lib/instant.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { readPayload } from '../../src/webhooks/log/read-payload.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { deliveryWorkflowId, webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { testDatabase } from '../support/database.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'

describe('pausing, resuming, resending, testing and deleting', () => {
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping())

  async function operator() {
    return { sql: db.sql, workflows: system.workflows, now: await system.now() }
  }
  async function newWebhook(count: number) {
    const at = await system.now()
    const hook = await addWebhook(db.sql, { url: system.receiver.url, at })
    const ids = await addDeliveries(db.sql, hook, { at, count })
    return { hook, ids, read: async () => (await listDeliveries(db.sql, hook))[0]! }
  }
  const received = (eventId: string) =>
    system.receiver.requests.filter((request) => request.headers['webhook-id'] === eventId)

  it('ends a delivery that is due while its webhook is paused: failed, and it says why', async () => {
    const { hook, ids, read } = await newWebhook(1)
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    expect((await system.check()).delivered).toMatchObject({ started: 0, unsent: 1 })
    expect(await read()).toMatchObject({ status: 'failed', notSent: true, attempts: [] })
    expect((await read()).error).toBe('Not sent because the webhook is paused.')
    expect(received((await read()).eventId)).toEqual([])
    await expect(system.shown(ids[0]!)).rejects.toThrow()
  })

  it('notifies a waiting delivery of a pause, and ends its workflow when it is due while paused', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, ids, read } = await newWebhook(1)
    await system.check()
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    await system.client.workflow.getHandle(webhookWorkflowId(hook.id)).result()
    await system.eventually(async () => {
      const details = await detailsOf(ids[0]!)
      expect(details).toMatch(/\*\*retry 1 in \d+ min\*\*/)
      expect(details).toContain('Its webhook is **paused**')
      expect(details).toContain('Last attempt: number 1 of 6')
      expect(details).toContain('HTTP 500')
    })
    await system.untilDue((await read()).nextTryAt!)
    expect((await system.check()).delivered).toMatchObject({ unsent: 1 })
    expect(await read()).toMatchObject({ status: 'failed', notSent: true })
    // The notice is old enough for the next check to pass it on.
    await system.until(plus(await system.now(), 61_000))
    await system.check()
    expect(await system.result(ids[0]!)).toMatchObject({ status: 'not_sent', attempts: 1 })
    expect(await system.shown(ids[0]!)).toEqual({ status: 'COMPLETED', deliveryStatus: 'not_sent' })
  })

  it('resumes, and does nothing else: what was not sent stays unsent, and the failures stay counted', async () => {
    const { hook, read } = await newWebhook(1)
    await db.sql`update webhook set failures_in_row = 7, first_failure_at = created_at where webhook_id = ${hook.id}`
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    await system.check()
    await resumeWebhook(await operator(), hook)
    expect((await system.check()).delivered).toMatchObject({ started: 0 })
    expect(await read()).toMatchObject({ status: 'failed', notSent: true })
    const [row] = await db.sql`
      select state, failures_in_row as failures, paused_reason as reason from webhook where webhook_id = ${hook.id}`
    expect(row).toEqual({ state: 'active', failures: 7, reason: null })
  })

  it('resumes and resends the newest 1,000 of 1,200 that were not sent, and reports how many', async () => {
    const { hook } = await newWebhook(1_200)
    await db.sql`
      update delivery d set created_at = d.created_at + n.n * interval '1 millisecond'
      from (select delivery_id, row_number() over (order by delivery_id) as n from delivery
            where webhook_id = ${hook.id}) n
      where n.delivery_id = d.delivery_id`
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    expect((await system.check()).delivered).toMatchObject({ unsent: 1_200 })
    expect(await resumeAndResend(await operator(), hook)).toEqual({ resent: 1_000 })
    const [left] = await db.sql`
      select count(*) filter (where status = 'pending')::int as pending,
             min(created_at) filter (where status = 'pending') > max(created_at) filter (where status = 'failed') as newest
      from delivery where webhook_id = ${hook.id}`
    expect(left).toEqual({ pending: 1_000, newest: true })
    expect(await resumeAndResend(await operator(), hook)).toEqual({ resent: 200 })
    await db.sql`delete from delivery where webhook_id = ${hook.id}`
  })

  it('resends whatever the status: same event id and body, all six attempts', async () => {
    system.receiver.answerNext({ status: 200 })
    const { hook, ids, read } = await newWebhook(1)
    await system.check()
    expect((await read()).status).toBe('succeeded')
    await resendDelivery(await operator(), hook, ids[0]!)
    expect(await read()).toMatchObject({ status: 'pending', notSent: false })

    system.receiver.answerNext({ status: 500 })
    await system.check()
    expect((await read()).attempts.map(({ cycle, number, outcome }) => [cycle, number, outcome])).toEqual([
      [1, 1, 'succeeded'],
      [2, 1, 'failed'],
    ])
    // Pending, with a workflow that waits for retry 1: a resend begins again at attempt 1, in that same workflow.
    await resendDelivery(await operator(), hook, ids[0]!)
    await system.check()
    const log = await read()
    expect(log.attempts.at(-1)).toMatchObject({ cycle: 3, number: 1, outcome: 'succeeded' })
    const requests = received(log.eventId)
    expect(requests).toHaveLength(3)
    expect(new Set(requests.map((request) => request.body)).size).toBe(1)
    expect(await system.result(ids[0]!)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('sends a test event through the normal path; tests within a minute share one event', async () => {
    const { hook } = await newWebhook(0)
    const at = plus(await system.now(), 0)
    const first = await sendTestEvent({ ...(await operator()), now: at }, hook)
    expect(await sendTestEvent({ ...(await operator()), now: at }, hook)).toEqual(first)
    await system.check()
    expect(received(first.eventId)).toHaveLength(1)
    const [request] = received(first.eventId)
    expect(JSON.parse(request!.body)).toMatchObject({
      version: 'webhook-test.v1',
      type: 'webhook.test',
      id: first.eventId,
    })
    expect(request!.headers['webhook-signature']).toMatch(/^v1,/)
  })

  it('sends a test that was not sent while paused when it is repeated within its minute', async () => {
    const { hook } = await newWebhook(0)
    const at = await system.now()
    const first = await sendTestEvent({ ...(await operator()), now: at }, hook)
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    expect((await system.check()).delivered).toMatchObject({ unsent: 1 })
    await resumeWebhook(await operator(), hook)
    expect(await sendTestEvent({ ...(await operator()), now: at }, hook)).toEqual(first)
    await system.check()
    expect(received(first.eventId)).toHaveLength(1)
  })

  it('never counts a test toward pausing, but a successful one restarts the count', async () => {
    const { hook } = await newWebhook(0)
    const day = 24 * 3_600_000
    await db.sql`
      update webhook set failures_in_row = 4, first_failure_at = ${plus(await system.now(), -2 * day)}
      where webhook_id = ${hook.id}`
    const failures = async () => {
      const [row] = await db.sql`select state, failures_in_row as failures from webhook where webhook_id = ${hook.id}`
      return row
    }
    system.receiver.answerNext({ status: 500 })
    await sendTestEvent(await operator(), hook)
    await system.check()
    expect(await failures()).toEqual({ state: 'active', failures: 4 })
    await system.until(plus(await system.now(), 300_000))
    await system.check()
    expect(await failures()).toEqual({ state: 'active', failures: 0 })
  })

  it('refuses tests and resends on a paused webhook with webhook_paused', async () => {
    const { hook, ids } = await newWebhook(1)
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    await expect(sendTestEvent(await operator(), hook)).rejects.toMatchObject({ code: 'webhook_paused', status: 409 })
    await expect(resendDelivery(await operator(), hook, ids[0]!)).rejects.toMatchObject({ code: 'webhook_paused' })
    await deleteWebhook(await operator(), hook)
  })

  it('shows nothing of another workspace’s webhook', async () => {
    const { hook, ids } = await newWebhook(1)
    const stranger = { id: hook.id, workspaceId: '0197a8a0-0000-7000-8000-000000000000' }
    const wanted = { code: 'not_found' }
    await expect(pauseWebhook(await operator(), stranger, 'x')).rejects.toMatchObject(wanted)
    await expect(resumeAndResend(await operator(), stranger)).rejects.toMatchObject(wanted)
    await expect(deleteWebhook(await operator(), stranger)).rejects.toMatchObject(wanted)
    await expect(sendTestEvent(await operator(), stranger)).rejects.toMatchObject(wanted)
    await expect(resendDelivery(await operator(), stranger, ids[0]!)).rejects.toMatchObject(wanted)
    expect(await listDeliveries(db.sql, stranger)).toEqual([])
    expect(await readPayload(db.sql, stranger, ids[0]!)).toBeUndefined()
    expect(await listDeliveries(db.sql, { ...stranger, workspaceId: 'nonsense' })).toEqual([])
    expect(await readPayload(db.sql, hook, 'nonsense')).toBeUndefined()
    expect(await readPayload(db.sql, hook, ids[0]!)).toBeDefined()
    await deleteWebhook(await operator(), hook)
  })

  it('starts the count of failures again and notifies the webhook’s workflow when an edit changes the URL, and keeps it paused', async () => {
    const tools = { secretKey: TEST_KEY, checkUrl: async () => {} }
    const workspaceId = await addWorkspace(db.sql)
    const body = { name: 'Orders', url: 'https://hooks.example.com/a', providers: ['*'], eventTypes: [...EVENT_TYPES] }
    const { webhook } = await createWebhook(db.sql, tools, workspaceId, body)
    const hook = { workspaceId, id: webhook.id }
    await db.sql`update webhook set failures_in_row = 4, first_failure_at = created_at where webhook_id = ${hook.id}`
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    const handle = system.client.workflow.getHandle(webhookWorkflowId(hook.id))
    await handle.result()
    const runId = async () => (await handle.describe()).runId
    const before = await runId()

    const renamed = await editWebhook(await operator(), tools, hook, { name: 'Shop' })
    expect(renamed).toMatchObject({ name: 'Shop', state: 'paused', failuresInRow: 4 })
    expect(await runId()).toBe(before)

    const moved = await editWebhook(await operator(), tools, hook, { url: 'https://hooks.example.com/b' })
    expect(moved).toMatchObject({ name: 'Shop', url: 'https://hooks.example.com/b', state: 'paused', failuresInRow: 0 })
    expect(await runId()).not.toBe(before)
    expect(await handle.result()).toEqual({ passedOn: 0, changes: 1 })
  })

  it('keeps the workflow of a delivery that was started under the older naming: never a second one', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, ids, read } = await newWebhook(1)
    const olderId = `delivery/${ids[0]}`
    await db.sql`update delivery set workflow_id = ${olderId} where delivery_id = ${ids[0]!}`
    await system.check()
    const handle = system.client.workflow.getHandle(olderId)
    expect((await handle.describe()).status.name).toBe('RUNNING')

    // A pause, a resend and a lost store reach it under the older id too.
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    await resumeWebhook(await operator(), hook)
    await system.client.workflow.getHandle(webhookWorkflowId(hook.id)).result()
    await resendDelivery(await operator(), hook, ids[0]!)
    await db.sql`update delivery set started_cycle = 0 where delivery_id = ${ids[0]!}`
    await system.check()
    expect(await handle.result()).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(await read()).toMatchObject({ status: 'succeeded' })
    expect(received((await read()).eventId)).toHaveLength(2)
    await expect(system.shown(ids[0]!)).rejects.toThrow()
  })

  it('shows an operator the event, the webhook and the workspace in the list', async () => {
    const { hook, ids } = await newWebhook(1)
    await db.sql`update webhook set name = ${'🦀'.repeat(80)} where webhook_id = ${hook.id}`
    await db.sql`
      update event set resources = array[${'m'.repeat(300)}]
      where event_id = (select event_id from delivery where delivery_id = ${ids[0]!})`
    await system.check()
    expect(await system.result(ids[0]!)).toMatchObject({ status: 'succeeded' })
    const id = deliveryWorkflowId({ deliveryId: ids[0]!, eventType: 'price.changed' })
    expect(id).toBe(`delivery/price.changed/${ids[0]}`)
    const { memo, searchAttributes } = await system.client.workflow.getHandle(id).describe()
    expect(memo).toMatchObject({
      workspace: 'Acme',
      provider: 'openai',
      subject: 'm'.repeat(300),
      webhook: '🦀'.repeat(80),
    })
    expect(Object.keys(searchAttributes)).toEqual(['WebhookId'])
  })

  it('deletes a webhook with its log and its pending deliveries, and ends their workflows', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, ids } = await newWebhook(1)
    await system.check()
    await deleteWebhook(await operator(), hook)
    expect(await listDeliveries(db.sql, hook)).toEqual([])
    const [left] = await db.sql`select count(*)::int as count from attempt where delivery_id = ${ids[0]!}`
    expect(left).toEqual({ count: 0 })
    expect(await system.result(ids[0]!)).toMatchObject({ status: 'gone' })
    expect(await db.sql`select 1 from delivery_notice where webhook_id = ${hook.id}`).toHaveLength(0)
  })

  async function detailsOf(id: string): Promise<string> {
    const handle = system.client.workflow.getHandle(deliveryWorkflowId({ deliveryId: id, eventType: 'price.changed' }))
    const metadata = (await handle.query('__temporal_workflow_metadata')) as { currentDetails: string }
    return metadata.currentDetails
  }
})
