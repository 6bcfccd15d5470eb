import { expect, it } from 'vitest'
import { createActivities } from '../../activities/index.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'
import { startProxy } from '../support/servers/proxy.ts'
import { testReceiver } from '../support/servers/receiver.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'

const NOW = instantOf(Date.now())
const db = testDatabase({ each: true })
const temporal = localTemporal()
const receiver = testReceiver()

/** What came of an attempt by the activities of a worker with these settings. */
async function attempted(url: string, env: Record<string, string>) {
  const hook = await addWebhook(db.sql, { url, at: NOW })
  const [deliveryId] = await addDeliveries(db.sql, hook, { at: NOW })
  const queues = { checks: temporal.taskQueue, deliveries: temporal.taskQueue }
  const { attempt } = createActivities(testContext(db.sql, temporal.client, env), queues)
  const { status, last } = await attempt({ deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, now: NOW })
  const [row] = await db.sql`select outcome from attempt where delivery_id = ${deliveryId!}`
  return { status, outcome: row!.outcome, text: last!.text }
}

it('A worker sends to private addresses only where that is allowed', async () => {
  expect(await attempted(receiver.url, {})).toMatchObject({ status: 'succeeded' })
  const refused = await attempted(receiver.url, { PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'false' })
  expect(refused).toMatchObject({ status: 'pending', outcome: 'failed', text: expect.stringMatching(/https/) })
  expect(receiver.requests).toHaveLength(1)
})

it('A worker looks names up and connects as its settings say', async () => {
  const strict = { PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'false' }
  const lost = await attempted('https://hooks.example.com/', { ...strict, PRICETAPE_DNS_SERVERS: '127.0.0.1:9' })
  expect(lost).toMatchObject({ outcome: 'platform', text: expect.stringMatching(/DNS resolver does not answer/) })
  const proxy = await startProxy(() => '503 Service Unavailable')
  const settings = { PRICETAPE_OUTBOUND_PROXY: `http://${proxy.host}:${proxy.port}` }
  expect(await attempted('https://127.0.0.1:9/', settings)).toMatchObject({ outcome: 'failed' })
  expect(proxy.asked).toMatchObject([{ address: '127.0.0.1:9' }])
  await proxy.close()
})
