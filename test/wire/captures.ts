import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { RETRY_WAITS_MS } from '../../src/webhooks/attempts/retry-schedule-rules.ts'
import { resumeWebhook } from '../../src/webhooks/manage/resume-webhook.ts'
import { rotateSecret } from '../../src/webhooks/manage/rotate-secret.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { ROTATION_OVERLAP_MS } from '../../src/webhooks/rules.ts'
import { checkWebhookUrl } from '../../src/webhooks/subscriptions/check-webhook-url.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { type ReceivedRequest, startReceiver } from '../support/servers/receiver.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'

/** A request that the engine really sent, and which keys must and must not verify it. */
export type Capture = { name: string; request: ReceivedRequest; good: string[]; bad: string[] }

const NEVER_USED = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
/** Every plane of Unicode, escapes, and what JSON leaves alone but JavaScript once did not. */
export const UNICODE_BODY = JSON.stringify({
  text: 'Grüße, 価格 0,5 €\u0000\u2028\u2029 é 👩🏽‍💻 𝔘 "\\/\b\f\n\r\t',
  price: '0.0000025',
})
export const LARGE_BODY = JSON.stringify({
  lines: Array.from({ length: 40_000 }, (_, i) => ({ n: i, text: `línea ${i} 🎏`, hash: 'f'.repeat(64) })),
})

const EVENTS = join(import.meta.dirname, '../goldens/events')
const wholeBody = async (name: string) => JSON.parse(await readFile(join(EVENTS, name), 'utf8')) as unknown

/** Drives the real engine over sockets through every kind of delivery, and captures what arrives. */
export async function captureDeliveries(sql: Sql): Promise<Capture[]> {
  const receiver = await startReceiver()
  const client = createSafeFetch({ allowPrivate: true })
  const tools = { sql, post: client.post, secretKey: randomBytes(32) }
  const checkUrl = (url: string) => checkWebhookUrl(url, { allowPrivate: true, resolve: client.resolve })
  const begin = instantOf(Date.now())
  const workspaceId = await addWorkspace(sql)
  const wanted = { name: 'Orders', url: receiver.url, eventTypes: ['price.changed' as const], providers: ['*'] }
  const created = await createWebhook(sql, { ...tools, checkUrl }, workspaceId, wanted)
  const webhook = { workspaceId, id: created.webhook.id }
  const operator = { sql, workflows: { notifyWebhook: async () => {} } }
  const captures: Capture[] = []

  async function attempt(name: string, deliveryId: string, at: Instant, grant = {}, keys: Partial<Capture> = {}) {
    const seen = receiver.requests.length
    await attemptDelivery(tools, { deliveryId, cycle: 1, number: 1, run: 1, ...grant }, at)
    const [request] = receiver.requests.slice(seen)
    if (!request) throw new Error(`nothing was sent: ${name}`)
    captures.push({ name, request, good: [created.secret], bad: [NEVER_USED], ...keys })
  }
  const deliver = async (name: string, at: Instant, body?: string, keys?: Partial<Capture>) => {
    const [id] = await addDeliveries(sql, webhook, { at, body })
    await attempt(name, id ?? '', at, {}, keys)
  }

  const [id = ''] = await addDeliveries(sql, webhook, { at: begin, body: UNICODE_BODY })
  receiver.answer({ status: 500 })
  let at = begin
  for (let number = 1; number <= 6; number++) {
    await attempt(`attempt ${number}`, id, at, { number })
    at = plus(at, RETRY_WAITS_MS[number - 1] ?? 0)
  }
  receiver.answer({ status: 200 })
  // Six failures over more than a day have paused the webhook.
  await resumeWebhook({ ...operator, now: at }, webhook)
  await resendDelivery({ ...operator, now: at }, webhook, id)
  await attempt('resend', id, at, { cycle: 2 })
  await deliver('several megabytes', at, LARGE_BODY)
  for (const name of await readdir(EVENTS)) await deliver(name, at, JSON.stringify(await wholeBody(name)))
  const test = await sendTestEvent({ ...operator, now: at }, webhook)
  await attempt('test event', test.deliveryId, at)

  const { secret } = await rotateSecret(sql, tools.secretKey, webhook, at)
  const [both, fresh] = [{ good: [created.secret, secret] }, { good: [secret], bad: [NEVER_USED, created.secret] }]
  await deliver('rotation begins', at, undefined, both)
  await deliver('rotation, its last millisecond', plus(at, ROTATION_OVERLAP_MS - 1), undefined, both)
  await deliver('rotation over', plus(at, ROTATION_OVERLAP_MS), undefined, fresh)
  await deliver('rotation long over', plus(at, ROTATION_OVERLAP_MS + 1), undefined, fresh)

  await Promise.all([client.close(), receiver.close()])
  return captures
}
