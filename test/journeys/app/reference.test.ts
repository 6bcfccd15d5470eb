import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { seedProviders } from '../../support/prices.ts'

describe('the reference of the API in the app', () => {
  const db = testDatabase()
  // Nothing is public here but the reference.
  const app = appBrowser(db)
  let [session, key] = ['', '']

  beforeAll(async () => {
    await seedProviders(db.sql, '2026-01-01T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const operator = await addOperator(db.sql)
    session = operator.sessionToken
    key = (await createApiKey(db.sql, { workspaceId: operator.workspaceId, name: 'k' })).key
  })

  const providers = (page: Page) => page.locator('#operations-Catalog-listProviders')
  async function open(page: Page): Promise<void> {
    await page.goto('/docs')
    await providers(page).waitFor()
  }

  it('is for everyone: endpoints found by typing, with parameters, examples, errors and a way to a key', async () => {
    const page = await app.person()
    await open(page)
    expect(await page.title()).toContain('API reference')
    await page.getByRole('link', { name: 'sign in', exact: true }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
      'API reference',
    ])
    await inspect(page, 'reference')
    const keyboard = byKeyboard(page)
    await keyboard.type(page.getByRole('textbox', { name: 'Search endpoints' }), 'price history')
    const found = page.locator('.opblock-summary-path:visible')
    await expect.poll(() => found.allTextContents()).toEqual(['/v1/prices/history'])
    await keyboard.press(page.locator('.opblock-summary-control:visible'))
    await page.getByText('Rows on this page.').waitFor()
    await page.getByText('Over a rate limit: wait').waitFor()
    await page.getByText('gpt-audio-mini').first().waitFor()
    await inspect(page, 'reference-endpoint')
    await expectFits(page)
  })

  it('tries requests as the signed-in user, and gives programs the same one with a key', async () => {
    const page = await app.person(session)
    await open(page)
    await page.getByText('Requests you try here run as you.').waitFor()
    await page.getByRole('link', { name: 'What changed' }).waitFor()
    const block = providers(page)
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Execute' }).click()
    await block.locator('.live-responses-table').getByText('"acme"').first().waitFor()
    const command = await block.locator('pre.curl').textContent()
    expect(command).toBe(`curl '${app.url}/v1/providers' \\\n  -H "Authorization: Bearer $PRICETAPE_API_KEY"`)
    await inspect(page, 'reference-tried')
    // Back in the app, and here again, without loading a page.
    await page.getByRole('link', { name: 'What changed' }).click()
    await page.getByRole('heading', { name: 'What changed', level: 1 }).waitFor()
    expect(await page.locator('html.dark-mode').count()).toBe(0)
    await page.getByRole('link', { name: 'API reference' }).click()
    await providers(page).waitFor()
  })

  it('tries requests with a key that is pasted, and forgets it with the page', async () => {
    const page = await app.person()
    await open(page)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('.auth-container input').fill(key)
    await page.locator('.auth-btn-wrapper button.authorize').click()
    await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click()
    const block = providers(page)
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Execute' }).click()
    await block.locator('.live-responses-table').getByText('"acme"').first().waitFor()
    expect(await block.locator('pre.curl').textContent()).toContain(`-H 'Authorization: Bearer ${key}'`)
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])'
    expect(await page.evaluate<string>(kept)).not.toContain(key)
    app.expected.push(/status of 401/)
    await page.reload()
    // The address names the endpoint, which is open again.
    await block.getByRole('button', { name: 'Execute' }).click()
    await block.locator('.live-responses-table').getByText('unauthorized').first().waitFor()
  })
})
