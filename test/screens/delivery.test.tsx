import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { HOUR, instantOf } from '../../src/lib/instant.ts'
import { addOperator } from '../support/accounts.ts'
import { appServer, SECRET_KEY } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { seedProviders } from '../support/prices.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'
import { checkScreen, compareWithGolden } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let session: string
let id: string
let failed: string

beforeAll(async () => {
  server = await appServer(db.sql, { PRICETAPE_SECRET_KEY: SECRET_KEY })
  await seedProviders(db.sql, undefined, [{ provider: 'openai' }])
  const { workspaceId, sessionToken } = await addOperator(db.sql)
  session = sessionToken
  id = await addWebhook(db.sql, workspaceId)
  const body = JSON.stringify({ dimension: 'output_tokens', pricingTier: {}, currency: 'USD' })
  const at = instantOf(Date.now() - HOUR)
  ;[failed] = (await addDeliveries(db.sql, { id, workspaceId }, { at, count: 1, body })) as [string]
  await db.sql`
    update delivery set status = 'failed', due_at = null, finished_at = ${at}, last_attempt_at = ${at}, attempts = 1`
  await db.sql`
    insert into attempt (delivery_id, cycle, number, started_at, outcome, status, error, duration_ms)
    select delivery_id, 1, 1, ${at}, 'failed', 500, 'HTTP 500 after 85 ms', 85 from delivery`
})
afterAll(() => server.close())
const open = (path: string) => () => openScreen({ server, session }, path)

it('how signatures are verified', async () => {
  await checkScreen('verify', open(`/webhooks/${id}/verify`), {})
})

it('a new webhook, and what is asked before it is created', async () => {
  const screen = await open('/webhooks/new')()
  const parts = [screen.text()]
  await screen.press('Create the webhook')
  parts.push('== Create the webhook', ...screen.changes(), screen.text())
  screen.close()
  await compareWithGolden('webhook-new', parts)
})

it('a delivery that failed', async () => {
  await checkScreen('delivery', open(`/webhooks/${id}/deliveries/${failed}`), {})
})
