import { beforeAll, describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { addOperator } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { seedProviders } from '../../support/prices.ts'
import { addDeliveries } from '../../support/webhooks/deliveries.ts'
import { addWebhook } from '../../support/webhooks/subscriptions.ts'

const [WEBHOOKS, FAILING] = [20, 50]
const JOURNEY_MS = 240_000

const db = testDatabase()
const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY }, keepsPages: true })

describe('deliveries at size, by keyboard alone', { timeout: JOURNEY_MS }, () => {
  let sessionToken: string
  let workspaceId: string
  const webhookIds: string[] = []

  /** 20 webhooks with 50 failed deliveries each; the first also has 3 that succeeded and the names that are searched. */
  beforeAll(async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'openai' }])
    ;({ sessionToken, workspaceId } = await addOperator(db.sql))
    const at = new Date(Date.now() - 2 * 3_600_000).toISOString() as Instant
    const body = JSON.stringify({
      dimension: 'output_tokens',
      pricingTier: { service: 'batch' },
      currency: 'USD',
      shown: { previous: '2.00', current: '1.50', per: 'million tokens' },
    })
    for (let made = 0; made < WEBHOOKS; made++) {
      const hook = { workspaceId, id: await addWebhook(db.sql, workspaceId) }
      webhookIds.push(hook.id)
      await addDeliveries(db.sql, hook, { at, count: made === 0 ? FAILING + 3 : FAILING, body })
    }
    await db.sql`
      update event e set resources = array[case n when 1 then 'gpt-5-mini' when 2 then 'gpt-5-nano' else 'gpt-5' end]
      from (select event_id, row_number() over (order by seq) as n from event) as numbered
      where numbered.event_id = e.event_id`
    await db.sql`
      update delivery d
      set status = case when d.webhook_id = ${webhookIds[0]!} and n > ${FAILING} then 'succeeded' else 'failed' end,
          due_at = null, attempts = 6, finished_at = ${at}, last_attempt_at = ${at}, error = 'HTTP 503 after 40 ms'
      from (select delivery_id, row_number() over (partition by webhook_id order by delivery_id) as n from delivery) as numbered
      where numbered.delivery_id = d.delivery_id`
    await db.sql`
      insert into attempt (delivery_id, cycle, number, started_at, outcome, status, error, duration_ms)
      select delivery_id, 1, 6, ${at}, status, case status when 'failed' then 503 else 200 end,
             case status when 'failed' then 'HTTP 503 after 40 ms' end, 40 from delivery`
  })

  async function signedIn() {
    const page = await app.person(sessionToken)
    return { page, keyboard: byKeyboard(page) }
  }

  it('show which of 20 webhooks fail, find one delivery among many, and resend all that failed', async () => {
    const { page, keyboard } = await signedIn()
    await page.goto(`/webhooks?workspace=${workspaceId}`)
    await page.getByText('5.6% succeeded').first().waitFor()
    expect(await page.getByText('0% succeeded', { exact: true }).count()).toBe(2 * (WEBHOOKS - 1))
    await inspect(page, 'webhooks-failing')
    await expectFits(page)

    await page.goto(`/webhooks/${webhookIds[0]}`)
    await page.getByText('5.6% of 53 deliveries succeeded').first().waitFor()
    await page.getByText('50 failed · median 40 ms · 95th percentile 40 ms').first().waitFor()
    await page.getByText('The newest 50 of 53 deliveries in the last 30 days').waitFor()
    await inspect(page, 'deliveries-at-size')
    await expectFits(page)

    // Names that differ in their last characters.
    await keyboard.type(page.getByLabel('Search deliveries'), 'gpt-5-nano')
    await page.getByText('1 matching delivery').waitFor()
    await page.getByText('gpt-5-nano at').waitFor()
    await page.getByText('Output · batch: 2.00 → 1.50 USD / million tokens').waitFor()
    await page.waitForURL(/q=gpt-5-nano/)
    await keyboard.press(page.getByRole('link', { name: 'price.changed' }))
    await keyboard.press(page.getByRole('link', { name: 'See its prices' }))
    await page.waitForURL(/\/prices\/openai\/gpt-5-nano/)

    await page.goto(`/webhooks/${webhookIds[0]}?status=failed&since=1h`)
    await page.getByText('No matching deliveries').waitFor()
    await page.goto(`/webhooks/${webhookIds[0]}?status=failed&since=24h`)
    await page.getByText('50 matching deliveries').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Resend 50 failed deliveries' }))
    await page.getByText('Resend 50 failed deliveries?').waitFor()
    await inspect(page, 'resend-failed')
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Resend' }))
    await page.getByText('50 deliveries go out in the next delivery run.').waitFor()
    await page.getByText('No matching deliveries').waitFor()
    const states = await db.sql<{ hook: boolean; status: string; count: number }[]>`
      select webhook_id = ${webhookIds[0]!} as hook, status, count(*)::integer as count from delivery group by 1, 2 order by 1, 2`
    expect(states.map((row) => ({ ...row }))).toEqual([
      { hook: false, status: 'failed', count: (WEBHOOKS - 1) * FAILING },
      { hook: true, status: 'pending', count: FAILING },
      { hook: true, status: 'succeeded', count: 3 },
    ])
  })
})
