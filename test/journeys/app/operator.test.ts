import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { DAY, instantOf } from '../../../src/lib/instant.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { attemptDelivery } from '../../../src/webhooks/attempts/attempt-delivery.ts'
import { matchEvents } from '../../../src/webhooks/matching/match-events.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import { model, models } from '../../prices/observed.ts'
import { eventsOf, snapshot } from '../../prices/support.ts'
import { addAccount, addOperator, anotherSession, PASSWORD } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, inspect, screenshots } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'

const secretKey = Buffer.from(SECRET_KEY, 'base64')
const HOSTILE = '<img src=x onerror=alert(1)>'

describe('an operator in the app', () => {
  const db = testDatabase({ each: true })
  const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY } })
  let receiver: Receiver
  let secret: string
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)

  /** The operator of npm start, signed in, with a webhook that gets everything. */
  const operator = async (): Promise<Page> => app.person(await session())
  async function session(): Promise<string> {
    const [found] = await db.sql`select from account`
    if (found) return anotherSession(db.sql, 'olga@example.com')
    const { sessionToken, workspaceId } = await addOperator(db.sql)
    const hook = { name: HOSTILE, url: receiver.url, providers: ['*'], eventTypes: ['price.changed' as const] }
    const created = await createWebhook(db.sql, { secretKey, checkUrl: async () => {} }, workspaceId, hook)
    secret = created.secret
    return sessionToken
  }

  /** This many sellers whose newest price is a thousand times too high. */
  async function hold(count: number): Promise<void> {
    const sellers = Array.from({ length: count }, (_, n) => `seller-${n}`)
    const priced = (input: number) =>
      sellers.flatMap((provider, n) => [
        ...models(8, { provider }),
        ...model(n === 0 ? HOSTILE : `model-${n}`, input, { provider }),
      ])
    await snapshot(db.sql, 'list', priced(0.000002), { at: daysAgo(3) })
    await snapshot(db.sql, 'list', priced(0.002), { at: daysAgo(2) })
  }

  it('decides fifty items by keyboard, and a subscriber receives and verifies what follows', {
    timeout: 240_000,
  }, async () => {
    await hold(50)
    expect(await openReviewItems(db.sql, 100)).toHaveLength(50)
    const page = await operator()
    await page.goto('/operator/review')
    await page.getByText('50 items wait').waitFor()
    await page.getByText('The published price 2 is plausible').waitFor()
    await inspect(page, 'operator-review')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    for (let n = 0; n < 25; n++) await page.keyboard.press('a')
    await page.getByText('25 items wait').waitFor()
    await page.keyboard.press('u')
    await page.getByText('26 items wait').waitFor()
    for (const key of ['j', 'Space', 'j', 'Space', 'r']) await page.keyboard.press(key)
    await page.getByText('No events: subscribers receive nothing.').waitFor()
    await inspect(page, 'operator-review-batch')
    await page.keyboard.press('Enter')
    await page.getByText('24 items wait').waitFor()
    for (let n = 0; n < 24; n++) await page.keyboard.press('a')
    await page.getByText('Nothing waits').waitFor()
    await page.getByText('50 decided here').waitFor({ timeout: 60_000 })
    expect(await openReviewItems(db.sql, 100)).toEqual([])
    expect(await eventsOf(db.sql, 'price.changed')).toHaveLength(0)
    await matchEvents(db.sql, { now: instantOf(Date.now()) })
    const [row] = await db.sql<{ due: number }[]>`select count(*)::int as due from delivery`
    expect(row!.due).toBe(96)
    const [first] = await db.sql<{ id: string }[]>`select delivery_id as id from delivery order by created_at limit 1`
    const tools = { sql: db.sql, post: createSafeFetch({ allowPrivate: true }).post, secretKey }
    await attemptDelivery(tools, { deliveryId: first!.id, cycle: 1, number: 1, run: 1 }, instantOf(Date.now()))
    const [{ body, headers }] = receiver.requests as [Receiver['requests'][number]]
    type Change = { type: string; previous: { price: string }; current: { price: string } }
    const sent = new Webhook(secret).verify(body, headers as Record<string, string>) as Change
    expect([sent.type, Number(sent.current.price) / Number(sent.previous.price)]).toEqual([
      expect.stringMatching(/^price\.changed\.seller-\d+$/),
      expect.closeTo(1_000),
    ])
  })

  it('sees what another operator decided, and keeps decisions while the session is over', {
    timeout: 240_000,
  }, async () => {
    const priced = (input: number) => [
      ...models(8, { provider: 'rival' }),
      ...model('rivalled', input, { provider: 'rival' }),
    ]
    await snapshot(db.sql, 'rivals', priced(0.000002))
    await snapshot(db.sql, 'rivals', priced(0.002))
    const [here, there] = [await operator(), await operator()]
    for (const page of [here, there]) {
      await page.goto('/operator/review?provider=rival')
      await page.getByText('1 item waits').waitFor()
    }
    await there.keyboard.press('e')
    await there.getByLabel(/^Price of rivalled, input tokens/).fill('3')
    await there.getByRole('button', { name: 'Publish these prices' }).click()
    await there.getByRole('button', { name: 'Send now' }).click()
    await there.getByText('1 decided here').waitFor()
    await here.keyboard.press('a')
    await here.context().clearCookies()
    app.expected.push(/status of 401/)
    await here.getByText('1 decision was not sent. It is kept here.').waitFor()
    await screenshots(here, 'operator-review-not-sent')
    await here.getByLabel(/^Password/).fill(PASSWORD)
    await here.getByRole('button', { name: 'Sign in', exact: true }).click()
    await here.getByText(/olga@example.com approved it/).waitFor()
    await there.getByRole('link', { name: 'Correct or withdraw' }).click()
    await there.getByRole('button', { name: 'Correct' }).first().click()
    await there.getByLabel(/^Correct price/).fill('2.5')
    await there.getByLabel(/^Why/).fill(HOSTILE)
    await inspect(there, 'operator-correct')
    await there.getByRole('dialog').getByRole('button', { name: 'Correct' }).click()
    await there.getByRole('cell', { name: '2.5', exact: true }).waitFor()
  })

  it('has a code of an authenticator app asked for, and signs in with one', async () => {
    const page = await operator()
    await page.goto('/account')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Your password/)
      .fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = await page.getByRole('dialog').locator('pre').textContent()
    await page.getByLabel(/^Code shown by the app/).fill(new TOTP({ secret: secret! }).generate())
    await inspect(page, 'account-codes')
    await page.getByRole('button', { name: 'Turn on' }).click()
    const recovery = await page.getByRole('dialog').locator('code').first().textContent()
    await inspect(page, 'account-recovery-codes')
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes are left.').waitFor()
    await page.context().clearCookies()
    await page.goto('/sign-in')
    app.expected.push(/status of 401/)
    await page.getByLabel(/^E-mail address/).fill('olga@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel(/^Code/).fill(recovery!)
    await screenshots(page, 'sign-in-code')
    await page.getByLabel(/^Code/).press('Enter')
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
  })

  it('saves a group that someone else saved meanwhile, once the form has said what that changes in theirs', async () => {
    for (const provider of ['openai', 'azure', 'mistral'])
      await snapshot(db.sql, provider, model('gpt-4o', 0.000002, { provider }))
    const page = await operator()
    const members = (...providers: string[]) => providers.map((provider) => ({ provider, resource: 'gpt-4o' }))
    const group = { name: 'gpt-4o', actor: 'someone else' }
    await saveGroup(db.sql, { ...group, members: members('openai', 'azure') })
    await page.goto('/operator/aliases')
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    await page.getByLabel(/^Members/).fill('openai:gpt-4o')
    await page.getByText('Leaves: azure:gpt-4o.').waitFor()
    await page.mouse.click(5, 5)
    await page.keyboard.press('Escape')
    expect(await page.getByLabel(/^Members/).inputValue()).toBe('openai:gpt-4o')
    await saveGroup(db.sql, { ...group, id: 'gpt-4o', members: members('openai', 'azure', 'mistral') })
    app.expected.push(/status of 409/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Someone else saved this group').waitFor()
    await page.getByText('Leaves: azure:gpt-4o, mistral:gpt-4o.').waitFor()
    expect(await page.getByLabel(/^Members/).inputValue()).toBe('openai:gpt-4o')
    await screenshots(page, 'operator-group-saved-meanwhile')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('revision 3').waitFor()
    expect(await page.getByRole('cell', { name: 'openai: gpt-4o', exact: true }).count()).toBe(1)
  })

  it('finds sources, groups, providers, users and the audit log, hostile texts shown as texts', {
    timeout: 240_000,
  }, async () => {
    for (const provider of ['openai', 'azure'])
      await snapshot(db.sql, provider, model('gpt-4o', 0.000002, { provider, canonicalResource: 'openai/gpt-4o' }))
    await db.sql`
      insert into source_fetch (source, at, outcome, snapshot_hash, reason, report)
      select 'azure', now(), 'quarantined', hash, ${HOSTILE},
             ${db.sql.json({ ignored: [{ reason: HOSTILE, count: 2, example: HOSTILE }] })}
      from snapshot order by created_at desc limit 1`
    await db.sql`update source set problem = ${HOSTILE} where source = 'azure'`
    const page = await operator()
    await page.goto('/operator/sources')
    await page.getByRole('button', { name: 'azure', exact: true }).waitFor()
    await inspect(page, 'operator-sources')
    app.expected.push(/status of 503/)
    await page.getByRole('button', { name: 'Run azure now' }).click()
    await page.getByText('Temporal does not answer now').waitFor()
    await page.getByRole('button', { name: 'azure', exact: true }).click()
    await page.getByRole('heading', { name: 'Skipped rows' }).waitFor()
    await inspect(page, 'operator-source')
    await page.getByRole('button', { name: 'Response' }).click()
    await page.getByText('gpt-4o').waitFor()
    // The way back leads out of the snapshot, then out of the source, and not away from the page.
    await page.goBack()
    await page.getByText('gpt-4o').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Skipped rows' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Skipped rows' }).waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/operator/sources')

    await page.goto('/operator/aliases?tab=proposals')
    await page.getByRole('button', { name: 'Accept gpt-4o' }).waitFor()
    await inspect(page, 'operator-proposals')
    await page.getByRole('button', { name: 'Accept gpt-4o' }).click()
    await page.getByText('No proposals').waitFor()
    await page.getByRole('tab', { name: /^Groups/ }).click()
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    await page.getByLabel(/^Members/).fill('azure:gpt-4o')
    await page.getByText('Leaves: openai:gpt-4o.').waitFor()
    await inspect(page, 'operator-group')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('revision 2').waitFor()

    for (const [path, text] of [
      ['providers', 'openai'],
      ['users', 'olga@example.com'],
      ['audit', 'Alias group saved'],
    ] as const) {
      await page.goto(`/operator/${path}`)
      await page.getByText(text).first().waitFor()
      await inspect(page, `operator-${path}`)
    }
    await addAccount(db.sql, 'mia@example.com')
    await page.goto('/operator/users')
    await page.getByRole('button', { name: 'Actions for mia' }).click()
    await page.getByRole('menuitem', { name: 'Make operator' }).click()
    await page.getByRole('dialog', { name: 'Make mia an operator?' }).waitFor()
    expect(await db.sql`select from account where operator`).toHaveLength(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Make operator' }).click()
    await page.getByRole('row', { name: /^mia.*operator/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Find a page/).fill('4o')
    await page.getByRole('button', { name: /^gpt-4o azure/ }).waitFor()
    await inspect(page, 'palette')
    await page.getByPlaceholder(/^Find a page/).fill('review')
    await page.getByRole('button', { name: /^gpt-4o azure/ }).waitFor({ state: 'hidden' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })
})
