import type { BrowserContext, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../../src/accounts/create-workspace.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { createFirstAccountLink } from '../../src/accounts/users/create-first-account-link.ts'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { attemptDelivery } from '../../src/webhooks/attempts/attempt-delivery.ts'
import { pauseWebhook } from '../../src/webhooks/manage/pause-webhook.ts'
import { failPausedDue } from '../../src/webhooks/rounds/fail-paused-due.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addOperator, PASSWORD } from '../support/accounts.ts'
import { SECRET_KEY } from '../support/app.ts'
import { appBrowser, inspect, screenshots } from '../support/app-browser.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries } from '../support/deliveries.ts'
import { seedProviders } from '../support/prices.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { operator, record } from '../support/subscriptions.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const secretKey = Buffer.from(SECRET_KEY, 'base64')

const db = testDatabase()
const app = appBrowser(db, { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' })
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  await seedProviders(db.sql, undefined, [{ provider: 'openai' }, { provider: 'mistral' }])
  await db.sql`update provider set name = ${HOSTILE} where provider = 'mistral'`
  await db.sql`
    insert into resource (source, provider, resource, first_priced_at)
    select 'seed', p, name, now() from unnest(array['openai', 'mistral']) as p,
           unnest(array['gpt-5', 'gpt-5-mini', ${HOSTILE}]) as name`
  const change = { type: 'price.changed', provider: 'mistral', payload: {} } as const
  const about = (name: string) => ({ ...change, resources: [name], members: [name] })
  await record(db.sql, about('gpt-5'), about('gpt-5'), about('gpt-5-mini'))
})
afterAll(() => receiver.close())
beforeEach(async () => {
  await db.sql`truncate account, workspace cascade`
  await db.sql`delete from event where provider = 'openai'`
  receiver.answer({ status: 200 })
  receiver.requests.length = 0
})

const signInAs = (context: BrowserContext, value: string): Promise<void> =>
  context.addCookies([{ name: 'pricetape', value, url: app.url, httpOnly: true, sameSite: 'Lax' }])

/** An operator with a browser, a workspace and a webhook that sends to the receiver. */
async function withWebhook(name = 'Prices') {
  const { sessionToken, workspaceId, accountId } = await addOperator(db.sql)
  const page = await app.person()
  await signInAs(page.context(), sessionToken)
  const body = {
    name,
    url: `${receiver.url}?to="><img/src=x/onerror=alert(1)>`,
    eventTypes: ['price.changed' as const],
    providers: ['*'],
  }
  const { webhook } = await createWebhook(db.sql, { secretKey, checkUrl: async () => {} }, workspaceId, body)
  return { page, workspaceId, accountId, hook: { workspaceId, id: webhook.id } }
}

/** Makes the next attempt of a delivery, as a round of the worker does. Returns when the one after it is due. */
async function attempt(deliveryId: string, number: number, now: Instant): Promise<Instant | undefined> {
  const tools = { sql: db.sql, post: createSafeFetch({ allowPrivate: true }).post, secretKey }
  const { state } = await attemptDelivery(tools, { deliveryId, cycle: 1, number, run: 1 }, now)
  return state.dueAt
}
const nowInstant = () => new Date().toISOString() as Instant
const oldestDelivery = async (): Promise<string> => {
  const [row] = await db.sql<{ id: string }[]>`select delivery_id as id from delivery order by created_at limit 1`
  return row!.id
}

/** A journey checks several pages for accessibility, which takes a second each and more on a busy machine. */
const JOURNEY_MS = 120_000

describe('webhooks in the app', { timeout: JOURNEY_MS }, () => {
  it('lead from the first account to the first verified request, the form by keyboard alone', async () => {
    await createWorkspace(db.sql, { name: 'First workspace' })
    const page = await app.person()
    await page.goto(`/first-account#token=${await createFirstAccountLink(db.sql)}`)
    await page.getByLabel('Your name').fill('Olga')
    await page.getByLabel('E-mail address').fill('olga@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await screenshots(page, 'webhooks-empty')
    await page.getByRole('link', { name: 'Create a webhook' }).focus()
    await page.keyboard.press('Enter')
    await fillByKeyboard(page)
    await page.getByText('such events: 2 price changes.').waitFor()
    await page.getByText(`of ${HOSTILE} only gpt-5.`).waitFor()
    await inspect(page, 'webhook-form')
    await page.getByRole('button', { name: 'Create the webhook' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Reveal the secret' }).click()
    const secret = (await page.getByText(/^whsec_[\w+/]{32}/).textContent())!
    await inspect(page, 'webhook-secret')

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('It waits for its first attempt').waitFor()
    await attempt(await oldestDelivery(), 1, nowInstant())
    const [request] = receiver.requests
    const verified = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'webhook.test' })
    await page.getByText('Your endpoint took it').waitFor()
    await page.getByText('webhook-signature').first().waitFor()
    await screenshots(page, 'delivery-succeeded')
    await page.getByRole('link', { name: /Prices to billing/ }).click()
    await page.getByRole('row', { name: /webhook.test.*succeeded/ }).waitFor()
    await screenshots(page, 'webhook-log')
    await checkIn(page, secret, request!)
  })

  /** Pastes a received request, then one whose body was changed. */
  async function checkIn(page: Page, secret: string, { headers, body }: Receiver['requests'][number]) {
    await page.getByRole('tab', { name: 'Secret' }).click()
    await page.getByRole('link', { name: 'Verify requests' }).click()
    await page.getByText('Go', { exact: true }).click()
    await page.getByText('func verifies').waitFor()
    const named = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}: ${headers[`webhook-${name}`]}`)
    await page.getByLabel('Headers').fill(named.join('\n'))
    await page.getByLabel('Body').fill(body)
    await page.getByLabel('The secret that your receiver has').fill(secret)
    await page.getByRole('button', { name: 'Check the request' }).click()
    await page.getByText('It verifies').waitFor()
    await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(body), null, 2))
    await page.getByRole('button', { name: 'Check the request' }).click()
    await page.getByText('The body was parsed and written again as JSON').waitFor()
    await inspect(page, 'webhook-verify')
  }

  /** Fills the form in with keys alone: name, URL, one provider's resource. */
  async function fillByKeyboard(page: Page) {
    const { keyboard } = page
    await page.getByRole('heading', { name: 'Create a webhook' }).waitFor()
    const focused = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.id')
    const tabTo = async (label: string | RegExp) => {
      const id = await page.getByLabel(label).first().getAttribute('id')
      for (let presses = 0; (await focused()) !== id; presses++) {
        if (presses > 60) throw new Error(`Tab does not lead to ${label}`)
        await keyboard.press('Tab')
      }
    }
    await tabTo(/^Name/)
    await keyboard.type(`Prices to billing ${HOSTILE}`)
    await tabTo(/^URL/)
    await keyboard.type(receiver.url)
    await tabTo('One is added')
    await keyboard.press('Space')
    await tabTo('One is removed')
    await keyboard.press('Space')
    await tabTo('Only these models and machines')
    await keyboard.type('gpt-5')
    await page.getByRole('option', { name: `gpt-5 · ${HOSTILE}`, exact: true }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await keyboard.press('Escape')
  }

  it('explain a delivery that fails through its retries, and when the webhook will pause', async () => {
    const { page, hook } = await withWebhook()
    const start = plus(nowInstant(), -10 * 3_600_000)
    const [deliveryId] = await addDeliveries(db.sql, hook, {
      at: start,
      body: '{"type":"price.changed","old":{"price":"1"}}',
    })
    receiver.answer({ status: 503, body: `<h1>${HOSTILE}</h1>` })
    let due: Instant | undefined = start
    for (const number of [1, 2, 3, 4]) due = await attempt(deliveryId!, number, due!)
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('The last 4 attempts failed').waitFor()
    await page.getByText('It will pause with the next failed attempt that comes').waitFor()
    await inspect(page, 'webhook-failing')
    await page.getByRole('link', { name: 'price.changed' }).click()
    await page.getByText('Your endpoint failed: its log says why.').waitFor()
    const steps = page.getByRole('listitem').filter({ hasText: /after \d+ (min|h)|at once/ })
    expect(await steps.allTextContents()).toEqual([
      expect.stringContaining('1. failed'),
      expect.stringContaining('2. failed'),
      expect.stringContaining('3. failed'),
      expect.stringContaining('4. failed'),
      expect.stringMatching(/5\. nextafter 8 h/),
      expect.stringMatching(/6\. if that failsafter 24 h/),
    ])
    await page.getByText(`<h1>${HOSTILE}</h1>`).last().waitFor()
    await page.getByText('webhook-signature', { exact: true }).waitFor()
    await page.getByRole('treeitem', { name: /old/ }).waitFor()
    await inspect(page, 'delivery-failing')
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await page.getByText('It waits for its first attempt').or(page.getByText('with the next round')).first().waitFor()
  })

  it('are resumed, and what was not sent is resent with its count', async () => {
    const { page, hook } = await withWebhook(HOSTILE)
    const ids = await addDeliveries(db.sql, hook, { at: nowInstant(), count: 3 })
    await pauseWebhook(operator(db.sql), hook, 'The last attempts all failed, over at least 24 hours.')
    expect(await failPausedDue(db.sql, plus(nowInstant(), 1_000))).toBe(3)
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('Paused: nothing is sent').waitFor()
    expect(await page.getByText('not sent', { exact: true }).count()).toBe(3)
    await inspect(page, 'webhook-paused')
    await page.goto(`/webhooks/${hook.id}/deliveries/${ids[0]}`)
    await page.getByText('Not sent: the webhook was paused when this was due').waitFor()
    expect(await page.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true)
    await screenshots(page, 'delivery-not-sent')
    await page.getByRole('link', { name: /img src/ }).click()
    await page.getByRole('button', { name: 'Resume and resend' }).click()
    await page.getByText('3 deliveries that were not sent').waitFor()
    await page.getByText('pending', { exact: true }).first().waitFor()
    expect(await page.getByText('pending', { exact: true }).count()).toBe(3)
  })

  it('keep what is typed when the session ends, the service refuses it and the page is loaded again', async () => {
    const { page, hook } = await withWebhook()
    app.expected.push(/status of 401/, /status of 400/, /status of 404/)
    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await page.getByLabel(/^Name/).fill('Renamed')
    await db.sql`delete from session`
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await inspect(page, 'session-ended')
    await page
      .getByRole('dialog')
      .getByLabel(/^Password/)
      .fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Renamed')
    await page.getByLabel(/^URL/).fill('ftp://example.com/')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[type=url][aria-invalid=true]').waitFor()
    await page.reload()
    await page.getByText('What you typed before is still here.').waitFor()
    expect(await page.getByLabel(/^URL/).inputValue()).toBe('ftp://example.com/')
    await page.getByLabel(/^URL/).fill(receiver.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It holds for what is published from now on.').waitFor()
    await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  })

  it('show two workspaces in two tabs, and a link in the workspace that it belongs to', async () => {
    const { page, workspaceId, accountId, hook } = await withWebhook('Of the first')
    const other = await foundWorkspace(db.sql, { accountId }, { name: 'Second workspace' })
    const second = await page.context().newPage()
    await page.goto(`/webhooks?workspace=${workspaceId}`)
    await second.goto(`/webhooks?workspace=${other.workspaceId}`)
    await second.getByText('No webhooks yet').waitFor()
    await page.reload()
    await page.getByText('Of the first').waitFor()
    await inspect(page, 'webhooks')
    await second.goto(`/webhooks/${hook.id}?workspace=${other.workspaceId}`)
    await second.getByRole('button', { name: 'Workspace: First workspace' }).waitFor()
    const stranger = await app.person()
    app.expected.push(/status of 404/)
    const { sessionToken } = await addAccount(db.sql, 'stranger@example.com')
    await signInAs(stranger.context(), sessionToken)
    await stranger.goto(`/webhooks/${hook.id}`)
    await stranger.getByText('You are in no workspace yet').waitFor()
  })
})
