import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { pauseWebhook } from '../../../src/webhooks/manage/pause-webhook.ts'
import { failPausedDue } from '../../../src/webhooks/rounds/fail-paused-due.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addMember, addOperator, PASSWORD } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, inspect, screenshots } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { attempt, HOSTILE, secretKey, seedSubscribable } from '../../support/app/webhook-journey.ts'
import { testDatabase } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { addDeliveries } from '../../support/webhooks/deliveries.ts'
import { addWebhook, operator } from '../../support/webhooks/subscriptions.ts'

const db = testDatabase()
const app = appBrowser(db, {
  env: { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' },
  keepsPages: true,
})
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  await seedSubscribable(db.sql)
})
afterAll(() => receiver.close())
beforeEach(async () => {
  await db.sql`truncate account, workspace cascade`
  await db.sql`delete from event where provider = 'openai'`
  receiver.answer({ status: 200 })
  receiver.requests.length = 0
})

/** An operator with a browser, a workspace and a webhook that sends to the receiver. */
async function withWebhook(name = 'Prices') {
  const { sessionToken, workspaceId, accountId } = await addOperator(db.sql)
  const page = await app.person()
  await app.signIn(page, sessionToken)
  const body = {
    name,
    url: `${receiver.url}?to="><img/src=x/onerror=alert(1)>`,
    eventTypes: ['price.changed' as const],
    providers: ['*'],
  }
  const { webhook } = await createWebhook(db.sql, { secretKey, checkUrl: async () => {} }, workspaceId, body)
  return { page, workspaceId, accountId, hook: { workspaceId, id: webhook.id } }
}

const nowInstant = () => new Date().toISOString() as Instant

/** A journey checks several pages for accessibility, which takes a second each and more on a busy machine. */
const JOURNEY_MS = 240_000

describe('webhooks in the app, by keyboard alone', { timeout: JOURNEY_MS }, () => {
  it('explain a delivery that fails through its retries, and when the webhook will pause', async () => {
    const { page, hook } = await withWebhook('W'.repeat(80))
    const start = plus(nowInstant(), -10 * 3_600_000)
    const [deliveryId] = await addDeliveries(db.sql, hook, {
      at: start,
      body: '{"type":"price.changed","old":{"price":"1"}}',
    })
    receiver.answer({ status: 503, body: `<h1>${HOSTILE}</h1>` })
    let due: Instant | undefined = start
    for (const number of [1, 2, 3, 4]) due = await attempt(db.sql, deliveryId!, number, due!)
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('The last 4 attempts failed').waitFor()
    await page.getByText('It will pause with the next failed attempt, but not before').waitFor()
    await inspect(page, 'webhook-failing')
    const keyboard = byKeyboard(page)
    await keyboard.press(page.getByRole('link', { name: 'price.changed' }))
    await page.getByText('Your endpoint failed. Check its logs.').waitFor()
    const steps = page.getByRole('listitem').filter({ hasText: /after \d+ (min|h)|in the first delivery run/ })
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
    await expectFits(page)
    // How the payload is shown is part of the address.
    await keyboard.reach(page.getByRole('radio', { name: 'Folded' }))
    await keyboard.reach(page.getByRole('radio', { name: 'As sent' }), 'ArrowRight')
    await page.waitForURL(/view=sent/)
    await page.reload()
    await page.getByText('{"type":"price.changed","old":{"price":"1"}}', { exact: true }).waitFor()
    await keyboard.reach(page.getByRole('radio', { name: 'As sent' }))
    await keyboard.reach(page.getByRole('radio', { name: 'Folded' }), 'ArrowLeft')
    await page.getByRole('treeitem', { name: /old/ }).waitFor()
    receiver.answer({ status: 502, body: 'the fifth answer' })
    await attempt(db.sql, deliveryId!, 5, due!)
    await page.getByText('the fifth answer').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Resend' }))
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Resend' }))
    await page
      .getByText('Waiting for the first attempt')
      .or(page.getByText('in the next delivery run'))
      .first()
      .waitFor()
  })

  it('are resumed with what was not sent and its count, paused, resumed without it, and deleted', async () => {
    const { page, hook } = await withWebhook(HOSTILE)
    const ids = await addDeliveries(db.sql, hook, { at: nowInstant(), count: 3 })
    await pauseWebhook(operator(db.sql), hook, 'The last attempts all failed, over at least 24 hours.')
    expect(await failPausedDue(db.sql, plus(nowInstant(), 1_000))).toBe(3)
    await page.goto(`/webhooks/${hook.id}`)
    await page.getByText('Paused: nothing is sent').waitFor()
    await expect.poll(() => page.getByText('not sent', { exact: true }).count()).toBe(3)
    await screenshots(page, 'webhook-paused')
    await page.goto(`/webhooks/${hook.id}/deliveries/${ids[0]}`)
    await page.getByText('Not sent: the webhook was paused when this was due').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Resend' }).isDisabled()).toBe(true)
    await screenshots(page, 'delivery-not-sent')
    const keyboard = byKeyboard(page)
    await keyboard.press(page.getByRole('link', { name: /img src/ }))
    await keyboard.press(page.getByRole('button', { name: 'Resume and resend' }))
    await page.getByText('3 deliveries that were not sent').waitFor()
    await expect.poll(() => page.getByText('pending', { exact: true }).count()).toBe(3)
    const more = page.getByRole('button', { name: 'More actions' })
    await keyboard.choose(more, page.getByRole('menuitem', { name: 'Pause' }))
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Pause' }))
    await page.getByText('Paused: nothing is sent').waitFor()
    expect(await failPausedDue(db.sql, plus(nowInstant(), 1_000))).toBe(3)
    await keyboard.press(page.getByRole('button', { name: 'Resume', exact: true }))
    await page.getByText('What was not sent while it was paused stays unsent').waitFor()
    await page.getByText('active', { exact: true }).waitFor()
    await keyboard.choose(more, page.getByRole('menuitem', { name: 'Delete' }))
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }))
    await page.getByText('No webhooks yet').waitFor()
    expect(await db.sql`select from webhook where webhook_id = ${hook.id}`).toHaveLength(0)
  })

  it('say that a workspace is full before a form is filled in', async () => {
    const { page, workspaceId } = await withWebhook()
    for (let more = 1; more < 20; more++) await addWebhook(db.sql, workspaceId)
    await page.goto(`/webhooks/new?workspace=${workspaceId}`)
    await page.getByText('This workspace may have no more webhooks').waitFor()
    await screenshots(page, 'webhook-limit')
    await page.getByRole('link', { name: 'delete one' }).click()
    await page.getByText('20 of 20 are in use.').waitFor()
  })

  it('keep what is typed when the session ends, the service refuses it and the page is loaded again', async () => {
    const { page, hook } = await withWebhook()
    const keyboard = byKeyboard(page)
    const save = page.getByRole('button', { name: 'Save' })
    app.expected.push(/status of 401/, /status of 400/, /status of 404/)
    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await keyboard.type(page.getByLabel(/^Name/), 'Renamed')
    await keyboard.reach(save)
    await db.sql`delete from session`
    await keyboard.keys('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await inspect(page, 'session-ended')
    await keyboard.type(dialog.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(dialog.getByRole('button', { name: 'Sign in', exact: true }))
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('Your last action was not carried out: send it again.').waitFor()
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Renamed')
    await keyboard.type(page.getByLabel(/^URL/), 'ftp://example.com/')
    await keyboard.press(save)
    await page.locator('input[type=url][aria-invalid=true]').waitFor()
    await page.reload()
    await page.getByText('Your draft was restored.').waitFor()
    expect(await page.getByLabel(/^URL/).inputValue()).toBe('ftp://example.com/')
    await keyboard.type(page.getByLabel(/^URL/), receiver.url)
    await keyboard.press(save)
    await page.getByText('Saved. It applies to everything published from now on.').waitFor()
    await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  })

  it('keep what is typed from the next person in the same browser, and say only what is true of the end', async () => {
    const { page, hook, workspaceId } = await withWebhook()
    const { accountId } = await addAccount(db.sql, 'mia@example.com')
    await addMember(db.sql, workspaceId, accountId, 'member')
    const keyboard = byKeyboard(page)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    const drafts = () => page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.includes('.draft.'))")
    app.expected.push(/status of 401/)
    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await keyboard.type(page.getByLabel(/^Name/), 'Typed by Olga')
    await expect.poll(drafts).toHaveLength(1)
    await db.sql`delete from session`
    await dialog.waitFor()
    await keyboard.type(dialog.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(dialog.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByText('You are signed in again.', { exact: true }).waitFor()
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Typed by Olga')

    await db.sql`delete from session`
    await dialog.waitFor()
    await keyboard.type(dialog.getByLabel(/^E-mail address/), 'mia@example.com')
    await keyboard.type(dialog.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(dialog.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByRole('button', { name: 'Account of mia' }).waitFor()
    await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe('Prices')
    expect(await drafts()).toEqual([])

    await keyboard.type(page.getByLabel(/^Name/), 'Typed by Mia')
    await expect.poll(drafts).toHaveLength(1)
    await page.goto('/account')
    await keyboard.press(page.getByRole('button', { name: 'Sign out everywhere' }))
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(drafts).toEqual([])
  })

  it('keep what is typed without a connection, after another tab saved, and after a removal', async () => {
    const { page, hook, workspaceId } = await withWebhook()
    const keyboard = byKeyboard(page)
    const save = page.getByRole('button', { name: 'Save' })
    app.expected.push(/ERR_INTERNET_DISCONNECTED/, /status of 404/, /status of 409/)
    await page.goto(`/webhooks/${hook.id}?tab=settings`)
    await keyboard.type(page.getByLabel(/^Name/), 'Mine')
    await page.context().setOffline(true)
    await page.getByText('No connection', { exact: true }).waitFor()
    await keyboard.press(save)
    await page.getByText('Nothing you typed is lost: try again.').waitFor()
    await screenshots(page, 'webhook-offline')
    await page.context().setOffline(false)
    await page.getByText('No connection', { exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Mine')

    const other = await page.context().newPage()
    const others = byKeyboard(other)
    await other.goto(`/webhooks/${hook.id}?tab=settings`)
    await others.type(other.getByLabel(/^Name/), 'Theirs')
    await others.press(other.getByLabel('A legal document changes'), 'Space')
    await other.getByRole('combobox', { name: 'Significance of changed documents' }).click()
    await other.getByRole('option', { name: 'High only' }).click()
    await other.getByText('changes of documents only of high significance').waitFor()
    await others.press(other.getByRole('button', { name: 'Save' }))
    await other.getByText('Saved. It applies to everything published from now on.').waitFor()
    await other.close()
    await page.getByText('Someone else changed this webhook: name').waitFor()
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Mine')
    await expect.poll(() => page.getByLabel('A legal document changes').isChecked()).toBe(true)
    await page.getByText('changes of documents only of high significance').waitFor()
    await screenshots(page, 'webhook-saved-elsewhere')
    await keyboard.press(save)
    await page.getByRole('heading', { name: 'Mine' }).waitFor()

    await keyboard.press(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await keyboard.press(page.getByRole('link', { name: 'Create a webhook' }))
    await keyboard.type(page.getByLabel(/^Name/), 'Typed before the removal')
    await db.sql`delete from workspace_member where workspace_id = ${workspaceId}`
    await keyboard.press(page.getByRole('button', { name: 'Create the webhook' }))
    await page.getByText('You are no longer a member of First workspace').waitFor()
    expect(await page.getByLabel(/^Name/).inputValue()).toBe('Typed before the removal')
    await screenshots(page, 'removed')
  })

  it('open a page that could not be reached by themselves, as the notice says, when the connection is back', async () => {
    const { page } = await withWebhook()
    app.expected.push(/ERR_INTERNET_DISCONNECTED/, /cannot be reached/)
    await page.goto('/webhooks')
    await page.getByRole('link', { name: 'Prices', exact: true }).first().waitFor()
    await page.context().setOffline(true)
    await byKeyboard(page).press(page.getByRole('link', { name: 'API keys' }))
    await page.getByText('Nothing you typed is lost: try again.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
  })

  it('show two workspaces in two tabs, and a link in the workspace that it belongs to', async () => {
    const { page, workspaceId, accountId, hook } = await withWebhook('Of the first')
    const long = `${HOSTILE} ${'W'.repeat(50)}`
    const other = await foundWorkspace(db.sql, { accountId }, { name: long })
    const second = await page.context().newPage()
    const keyboard = byKeyboard(second)
    await page.goto(`/webhooks?workspace=${workspaceId}`)
    await second.goto(`/webhooks?workspace=${other.workspaceId}`)
    await second.getByText('No webhooks yet').waitFor()
    await page.reload()
    await page.getByText('Of the first').waitFor()
    await inspect(page, 'webhooks')
    await second.goto(`/webhooks/${hook.id}?workspace=${other.workspaceId}`)
    const menu = second.getByRole('button', { name: 'Workspace: First workspace' })
    await keyboard.press(menu)
    await second.getByRole('menuitem', { name: long }).waitFor()
    await expectFits(second)
    await keyboard.reach(second.getByRole('menuitem', { name: long }), 'ArrowDown')
    await keyboard.keys('Enter')
    await second.getByText('No webhooks yet').waitFor()
    // The other tab used its workspace last: links of this one stay in theirs.
    const first = byKeyboard(page)
    await first.press(page.getByRole('link', { name: 'Home' }))
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await first.press(page.getByRole('link', { name: 'Webhooks', exact: true }))
    await page.getByText('Of the first').waitFor()
    const stranger = await app.person()
    app.expected.push(/status of 404/)
    const { sessionToken } = await addAccount(db.sql, 'stranger@example.com')
    await app.signIn(stranger, sessionToken)
    await stranger.goto(`/webhooks/${hook.id}`)
    await stranger.getByText('You are not in a workspace yet').waitFor()
  })
})
