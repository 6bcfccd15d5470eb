import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { eventsOf, model, models, snapshot } from '../prices/support.ts'
import { addOperator, anotherSession, PASSWORD } from '../support/accounts.ts'
import { SECRET_KEY } from '../support/app.ts'
import { appBrowser, inspect } from '../support/app-browser.ts'
import { testDatabase } from '../support/database.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('an operator in the app', () => {
  const db = testDatabase({ each: true })
  const app = appBrowser(db)
  const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)

  /** The operator of npm start, signed in, with a webhook that gets everything. */
  async function operator(): Promise<Page> {
    const page = await app.person()
    const cookie = { name: 'pricetape', value: await session(), url: app.url, httpOnly: true, sameSite: 'Lax' as const }
    await page.context().addCookies([cookie])
    return page
  }
  async function session(): Promise<string> {
    const [found] = await db.sql`select from account`
    if (found) return anotherSession(db.sql, 'olga@example.com')
    const { sessionToken, workspaceId } = await addOperator(db.sql)
    const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
    const hook = { name: HOSTILE, url: 'https://hooks.example.com/', providers: ['*'] }
    await createWebhook(db.sql, tools, workspaceId, { ...hook, eventTypes: ['price.changed'] })
    return sessionToken
  }

  /** So many sellers whose newest price is a thousand times too high. */
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

  it('decides fifty items by keyboard, and subscribers are sent what follows', { timeout: 240_000 }, async () => {
    await hold(50)
    expect(await openReviewItems(db.sql, 100)).toHaveLength(50)
    const page = await operator()
    await page.goto('/operator/review')
    await page.getByText('50 wait').waitFor()
    await page.getByText('The published price 0.000002').waitFor()
    await inspect(page, 'operator-review')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    for (let n = 0; n < 25; n++) await page.keyboard.press('a')
    await page.getByText('25 wait').waitFor()
    await page.keyboard.press('u')
    await page.getByText('26 wait').waitFor()
    for (const key of ['j', 'Space', 'j', 'Space', 'r']) await page.keyboard.press(key)
    await page.getByText('No events: subscribers are sent nothing.').waitFor()
    await inspect(page, 'operator-review-batch')
    await page.keyboard.press('Enter')
    await page.getByText('24 wait').waitFor()
    for (let n = 0; n < 24; n++) await page.keyboard.press('a')
    await page.getByText('Nothing waits').waitFor()
    await page.getByText('50 decided here').waitFor({ timeout: 60_000 })
    expect(await openReviewItems(db.sql, 100)).toEqual([])
    expect(await eventsOf(db.sql, 'price.changed')).toHaveLength(0)
    await matchEvents(db.sql, { now: instantOf(Date.now()) })
    const [row] = await db.sql<{ due: number }[]>`select count(*)::int as due from delivery`
    expect(row!.due).toBe(96)
  })

  it('is told what somebody else decided, and keeps decisions while the session is over', {
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
      await page.getByText('1 waits').waitFor()
    }
    await there.keyboard.press('e')
    await there.getByLabel(/^Price of rivalled input_tokens/).fill('3')
    await there.getByRole('button', { name: 'Publish these prices' }).click()
    await there.getByRole('button', { name: 'Send now' }).click()
    await there.getByText('1 decided here').waitFor()
    await here.keyboard.press('a')
    await here.context().clearCookies()
    app.expected.push(/status of 401/)
    await here.getByText('1 decision was not sent. It is kept here.').waitFor()
    await inspect(here, 'operator-review-not-sent')
    await here.getByLabel(/^Password/).fill(PASSWORD)
    await here.getByRole('button', { name: 'Sign in' }).click()
    await here.getByText(/olga@example.com approved it/).waitFor()
    await there.getByRole('link', { name: 'Correct or withdraw' }).click()
    await there.getByRole('button', { name: 'Correct' }).first().click()
    await there.getByLabel(/^The right price/).fill('2.5')
    await there.getByLabel(/^Why/).fill(HOSTILE)
    await inspect(there, 'operator-correct')
    await there.getByRole('dialog').getByRole('button', { name: 'Correct' }).click()
    await there.getByRole('cell', { name: '2.5', exact: true }).waitFor()
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
    await page.getByText('Read and left out').first().waitFor()
    await inspect(page, 'operator-source')
    await page.getByRole('button', { name: 'bytes' }).click()
    await page.getByText('gpt-4o').waitFor()

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
