import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import protos from '@temporalio/proto'
import { afterAll, describe, it } from 'vitest'
import { DAY, plus } from '../../src/lib/instant.ts'
import { RETRY_WAITS_MS } from '../../src/webhooks/attempts/retry-schedule-rules.ts'
import { deleteWebhook } from '../../src/webhooks/manage/delete-webhook.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { resumeAndResend } from '../../src/webhooks/resend/resume-and-resend.ts'
import { deliveryWorkflowId, webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { testDatabase } from '../support/database.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { record } from '../support/webhooks/subscriptions.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { addCatalogue, changed, watcher } from '../watches/support.ts'

const LOCAL = new Set(['identity', 'stackTrace', 'binaryChecksum'])

/** One history per path through the workflows, made by the real workers; test/workflows/replay.test.ts replays them. */
describe('recording', async () => {
  const db = testDatabase()
  const server = await startMailServer()
  const mails = {
    SMTP_URL: `smtp://127.0.0.1:${server.address.port}`,
    PRICETAPE_MAIL_FROM: 'p@example.com',
    PRICETAPE_PUBLIC_URL: 'https://prices.example.com',
  }
  const system = deliverySystem(db, timeSkipping(), mails)
  afterAll(() => server.stop())

  async function save(workflowId: string, name: string) {
    const history = await system.client.workflow.getHandle(workflowId).fetchHistory()
    const { History } = protos.temporal.api.history.v1
    const plain = History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String })
    // Who made it, and where, is no one's business.
    const text = JSON.stringify(plain, (key, value) => (LOCAL.has(key) ? 'left out' : value), 1)
    await writeFile(join(import.meta.dirname, `${name}.json`), `${text}\n`)
  }
  const operator = async () => ({ sql: db.sql, workflows: system.workflows, now: await system.now() })
  async function newDelivery() {
    const at = await system.now()
    const hook = await addWebhook(db.sql, { url: system.receiver.url, at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    return { hook, id: id! }
  }
  const later = async (ms: number) => {
    await system.until(plus(await system.now(), ms))
    return system.check()
  }
  const ended = async (id: string, name: string) => {
    await system.result(id)
    await save(deliveryWorkflowId({ deliveryId: id, eventType: 'price.changed' }), name)
  }

  it('a delivery that succeeds at once', async () => {
    const { id } = await newDelivery()
    await system.check()
    await ended(id, 'delivery/succeeded-at-once')
  })

  it('a delivery that succeeds at the first retry, and one that fails six times', async () => {
    system.receiver.answerNext({ status: 500 })
    const first = await newDelivery()
    await system.check()
    await later(RETRY_WAITS_MS[0] + 2_000)
    await ended(first.id, 'delivery/succeeded-on-first-retry')
    system.receiver.answer({ status: 500 })
    const second = await newDelivery()
    await system.check()
    for (const wait of RETRY_WAITS_MS) await later(wait + 2_000)
    system.receiver.answer({ status: 200 })
    await ended(second.id, 'delivery/failed')
  })

  it('a delivery that is due while paused, its webhook paused, resumed and deleted', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, id } = await newDelivery()
    await system.check()
    await pauseWebhook(await operator(), hook, 'Paused by hand.')
    await system.client.workflow.getHandle(webhookWorkflowId(hook.id)).result()
    await save(webhookWorkflowId(hook.id), 'webhook/paused')
    await later(RETRY_WAITS_MS[0] + 2_000)
    await later(61_000)
    await ended(id, 'delivery/not-sent')
    await resumeAndResend(await operator(), hook)
    await system.client.workflow.getHandle(webhookWorkflowId(hook.id)).result()
    await save(webhookWorkflowId(hook.id), 'webhook/resumed-and-resent')
    system.receiver.answerNext({ status: 500 })
    await system.check()
    await deleteWebhook(await operator(), hook)
    await ended(id, 'delivery/gone')
    await save(webhookWorkflowId(hook.id), 'webhook/deleted')
  })

  it('a delivery that is resent while it waits for a retry', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, id } = await newDelivery()
    await system.check()
    await resendDelivery(await operator(), hook, id)
    await system.check()
    await ended(id, 'delivery/resent-while-pending')
  })

  it('a delivery spoiled by an internal error', async () => {
    const { hook, id } = await newDelivery()
    await db.sql`update webhook_secret set sealed = ${Buffer.from('damaged')}, key_id = 'x' where webhook_id = ${hook.id}`
    await system.check()
    await later(1_000)
    await deleteWebhook(await operator(), hook)
    await ended(id, 'delivery/fault-of-ours')
  })

  it('a delivery that got its workflow back, and waited long', async () => {
    system.receiver.answerNext({ status: 500 })
    const { hook, id } = await newDelivery()
    await system.check()
    await system.client.workflow.getHandle(deliveryWorkflowId({ deliveryId: id, eventType: 'price.changed' })).terminate()
    await system.workflows.start({
      deliveryId: id,
      webhookId: hook.id,
      webhookName: 'Orders',
      workspaceName: 'Acme',
      eventId: 'e',
      eventType: 'price.changed',
    })
    await system.until(plus(await system.now(), 7 * 3_600_000))
    await system.check()
    await ended(id, 'delivery/started-again')
  })

  it('a check that notifies operators, and one whose notice does not arrive', async () => {
    await db.sql`insert into source (source, kind, format, interval_seconds) values ('list', 'prices', 'curated', 300)`
    const wait = async (provider: string) => db.sql`
      insert into review (source, provider, kind, reasons, opened_at, detail)
      values ('list', ${provider}, 'removal', '{mass_disappearance}', ${plus(await system.now(), -2 * DAY)}, '{"resources":["m"]}')`
    const checked = async (name: string) => {
      const workflowId = `check/${randomUUID()}`
      await system.client.workflow.execute('check', { taskQueue: system.queues.checks, workflowId })
      await save(workflowId, name)
    }
    await wait('acme')
    await checked('check/with-notices')
    await wait('umbrella')
    await db.sql`alter table operator_notice rename to operator_notice_away`
    await checked('check/with-notices-failed')
    await db.sql`alter table operator_notice_away rename to operator_notice`
  })

  it('a check that has mails sent', async () => {
    await addCatalogue(db.sql)
    await watcher(db.sql, { provider: 'openai', resource: 'gpt-5' })
    await record(db.sql, changed('2', '1'))
    const workflowId = `check/${randomUUID()}`
    await system.client.workflow.execute('check', { taskQueue: system.queues.checks, workflowId })
    await save(workflowId, 'check/with-mails')
    await system.client.workflow.getHandle('mail').result()
    await save('mail', 'mail')
  })

  it('a check, a retention run and a collection', async () => {
    const workflowId = `check/${randomUUID()}`
    const { checks } = system.queues
    await newDelivery()
    await system.client.workflow.execute('check', { taskQueue: checks, workflowId })
    await save(workflowId, 'check/in-shards')
    await system.client.workflow.execute('retention', { taskQueue: checks, workflowId: 'retention' })
    await save('retention', 'retention-measured')
    const collecting = { taskQueue: checks, workflowId: 'collect/none', args: ['none'] }
    await system.client.workflow.execute('collect', collecting).catch(() => {})
    await save('collect/none', 'collect-failed')
  })
})
