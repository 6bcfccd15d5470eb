import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFirstAccountLink } from '../../../src/accounts/users/links/create-first-account-link.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { addOperator, PASSWORD } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, hold, inspect, screenshots } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { attempt, HOSTILE, seedSubscribable } from '../../support/app/webhook-journey.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { addDeliveries } from '../../support/webhooks/deliveries.ts'

const db = testDatabase({ each: true })
const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' } })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  await seedSubscribable(db.sql)
  await seedProviders(db.sql, undefined, [{ provider: 'acme' }])
  await publish(db.sql, [{ provider: 'acme', resource: 'titan-2', price: '0.000002' }])
  await publish(db.sql, [{ provider: 'acme', resource: 'titan-2', price: '0.0000015' }])
  await db.sql`delete from event where provider <> 'mistral'`
})
afterAll(() => receiver.close())

const nowInstant = () => new Date().toISOString() as Instant
async function onlyDelivery(): Promise<string> {
  const rows = await db.sql<{ id: string }[]>`select delivery_id as id from delivery`
  expect(rows).toHaveLength(1)
  return rows[0]!.id
}

it('a price page leads to sign-in and back, and shows what the model costs and cost before', async () => {
  app.expected = [/status of 401/]
  await addOperator(db.sql)
  const page = await app.person()
  const keyboard = byKeyboard(page)
  await page.goto('/prices/acme/titan-2')
  await keyboard.type(page.getByLabel(/^E-mail address/), 'olga@example.com')
  await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
  await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  await page.getByRole('heading', { name: 'titan-2', exact: true }).waitFor()
  const rows = page.getByRole('heading', { name: 'All rows' }).locator('xpath=ancestor::section')
  for (const price of ['1.50', '2.00']) await rows.getByRole('row').filter({ hasText: price }).first().waitFor()
  await keyboard.choose(
    page.getByRole('button', { name: 'Account of Olga' }),
    page.getByRole('menuitem', { name: 'Sign out' }),
  )
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

it('the first webhook, by keyboard alone: from the first account to a verified request, and to a second secret', async () => {
  await createWorkspace(db.sql, { name: 'First workspace' })
  const page = await app.person()
  const keyboard = byKeyboard(page)
  await page.goto(`/first-account#token=${await createFirstAccountLink(db.sql)}`)
  await keyboard.type(page.getByLabel('Your name'), 'Olga')
  await keyboard.type(page.getByLabel('E-mail address'), 'olga@example.com')
  await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
  await keyboard.press(page.getByRole('button', { name: 'Create the account' }))
  await keyboard.press(page.getByRole('link', { name: 'Webhooks' }))
  await page.getByText('No webhooks yet').waitFor()
  await screenshots(page, 'webhooks-empty')
  await keyboard.press(page.getByRole('link', { name: 'Create a webhook' }))
  await fillIn(page)
  await page.getByText('such events: 2 price changes.').waitFor()
  await page.getByText(`of ${HOSTILE} only gpt-5.`).waitFor()
  await inspect(page, 'webhook-form')
  await keyboard.press(page.getByRole('button', { name: 'Create the webhook' }))
  await keyboard.press(page.getByRole('button', { name: 'Reveal the secret' }))
  const secret = await page.getByText(/^whsec_[\w+/]{32}/).textContent()
  await inspect(page, 'webhook-secret')

  await keyboard.reach(page.getByRole('button', { name: 'Send a test' }))
  await keyboard.keys('Enter', 'Enter')
  await page.getByText('Waiting for the first attempt').waitFor()
  await page.getByRole('button', { name: 'Start a delivery run now' }).waitFor()
  await attempt(db.sql, await onlyDelivery(), 1, nowInstant())
  const [request] = receiver.requests
  const verified = new Webhook(secret!).verify(request!.body, request!.headers as Record<string, string>)
  expect(verified).toMatchObject({ type: 'webhook.test' })
  await page.getByText('Delivered').waitFor()
  await page.getByText('webhook-signature').first().waitFor()
  await screenshots(page, 'delivery-succeeded')
  await keyboard.press(page.getByRole('link', { name: /Prices to billing/ }))
  await page.getByRole('row', { name: /webhook.test.*succeeded/ }).waitFor()
  await screenshots(page, 'webhook-log')
  await checkIn(page, secret!, request!)
  await rotate(page, secret!)
})

/** Pastes a received request, then one whose body was changed. */
async function checkIn(page: Page, secret: string, { headers, body }: Receiver['requests'][number]) {
  const keyboard = byKeyboard(page)
  await keyboard.reach(page.getByRole('tab', { name: 'Deliveries' }))
  await keyboard.reach(page.getByRole('tab', { name: 'Secret' }), 'ArrowRight')
  await keyboard.press(page.getByRole('link', { name: 'Verify requests' }))
  await keyboard.reach(page.getByRole('radio', { name: 'Node' }))
  await keyboard.reach(page.getByRole('radio', { name: 'Go' }), 'ArrowRight')
  await page.getByText('func verifies').waitFor()
  await page.getByText('WEBHOOK_SECRET=whsec_… go run receiver.go', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
  await keyboard.press(page.getByRole('button', { name: 'Insert secret' }))
  await page.getByText(`WEBHOOK_SECRET=${secret} go run receiver.go`, { exact: true }).waitFor()
  const named = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}: ${headers[`webhook-${name}`]}`)
  await keyboard.type(page.getByLabel('Headers'), named.join('\n'))
  await keyboard.type(page.getByLabel('Body'), body)
  await keyboard.type(page.getByLabel('Your receiver’s secret'), secret)
  await keyboard.press(page.getByRole('button', { name: 'Check the request' }))
  await page.getByText('It verifies').waitFor()
  await keyboard.type(page.getByLabel('Body'), JSON.stringify(JSON.parse(body), null, 2))
  await keyboard.press(page.getByRole('button', { name: 'Check the request' }))
  await page.getByText('The body was parsed and written again as JSON').waitFor()
  await inspect(page, 'webhook-verify')
}

/** Replaces the secret: the one before it signs for 24 hours more, and the page says until when. */
async function rotate(page: Page, secret: string) {
  const keyboard = byKeyboard(page)
  await page.goBack()
  await page.getByRole('button', { name: 'Rotate the secret' }).waitFor()
  // The page learns of the rotation from its answer, however long it takes to read the webhook again.
  const read = await hold(page, /\/v1\/webhooks\/[\da-f-]+(\?|$)/)
  await keyboard.press(page.getByRole('button', { name: 'Rotate the secret' }))
  await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Rotate' }))
  const notice = page.getByRole('status').filter({ hasText: 'Two secrets are valid' })
  const until = await notice.locator('time').getAttribute('datetime')
  expect(Math.abs(Date.parse(until!) - Date.now() - 24 * 3_600_000)).toBeLessThan(600_000)
  const next = await page.getByText(/^whsec_[\w+/]{32}/).textContent()
  expect(next).not.toBe(secret)
  await screenshots(page, 'webhook-rotated')
  // A third secret would end the oldest at once: the dialog says so before it is confirmed.
  const again = page
    .getByRole('dialog')
    .filter({ hasText: /The older one, which would sign until \d{4}-.*, ends at once/ })
  await keyboard.press(page.getByRole('button', { name: 'Rotate the secret' }))
  await again.getByText('The current secret stays valid beside the new one for 24 hours').waitFor()
  await keyboard.press(again.getByRole('button', { name: 'Cancel' }))
  await read()
  const [hook] = await db.sql<{ id: string; workspaceId: string }[]>`
    select webhook_id as id, workspace_id as "workspaceId" from webhook`
  const [deliveryId] = await addDeliveries(db.sql, hook!, { at: nowInstant() })
  await attempt(db.sql, deliveryId!, 1, nowInstant())
  const { body, headers } = receiver.requests.at(-1)!
  for (const either of [secret, next!]) new Webhook(either).verify(body, headers as Record<string, string>)
}

/** Fills the form in: name, URL, one provider's resource. */
async function fillIn(page: Page) {
  const keyboard = byKeyboard(page)
  await page.getByText('Here it may also be http:// and on this machine').waitFor()
  await keyboard.type(page.getByLabel(/^Name/), `Prices to billing ${HOSTILE}`)
  await keyboard.type(page.getByLabel(/^URL/), receiver.url)
  await keyboard.press(page.getByLabel('A model or machine is added'), 'Space')
  await keyboard.press(page.getByLabel('A model or machine is removed'), 'Space')
  await keyboard.type(page.getByLabel('Only these models and machines').first(), 'gpt-5')
  await page.getByRole('option', { name: `gpt-5 · ${HOSTILE}`, exact: true }).waitFor()
  await keyboard.keys('ArrowDown', 'Enter', 'Escape')
}
