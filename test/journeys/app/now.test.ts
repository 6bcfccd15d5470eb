import { describe, expect, it } from 'vitest'
import { DAY, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import { model, models } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, screenshots } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

describe('what was published a moment ago', { timeout: 240_000 }, () => {
  const db = testDatabase({ each: true })
  const app = appBrowser(db)
  const list = (...more: ReturnType<typeof model>) => [...models(6, { provider: 'acme' }), ...more]
  const take = (observations: ReturnType<typeof model>, at: Instant) => snapshot(db.sql, 'acme', observations, { at })

  const reader = async () => app.person((await addOperator(db.sql)).sessionToken)

  it('is the same in the feed, on the page of the model and among all prices, and final later', async () => {
    await take(list(model('old-model', 0.000002, { provider: 'acme' }).at(0)!), instantOf(Date.now() - 20 * DAY))
    const added = model('young-model', 0.000003, { provider: 'acme' })
    const published = instantOf(Date.now() - 1_000)
    await take(list(model('old-model', 0.000002, { provider: 'acme' }).at(0)!, ...added), published)
    const page = await reader()
    await page.goto('/')
    await page.getByRole('link', { name: 'young-model' }).first().click()
    await page.getByText('3.00').first().waitFor()
    await page
      .getByText(/not final yet/)
      .first()
      .waitFor()
    const from = plus(published, 15 * 60_000).slice(11, 16)
    await page.getByText(`Includes changes that the API returns from ${from} UTC`).waitFor()
    await page.getByRole('link', { name: 'young-model' }).first().waitFor()
    await screenshots(page, 'model-not-final')
    await page.goto('/prices?q=young-model')
    await page.getByText('1 of 8 models').waitFor()
    await page.getByText('Includes changes').waitFor()
    // A request that is copied reads an instant that is final.
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Show the request' }).click()
    await page.getByText(/Changes of the last 15 minutes are not in it/).waitFor()
    const curl = await page.getByRole('dialog').locator('code, pre').first().textContent()
    const [, asOf] = /asOf=([^&']+)/.exec(curl!)!
    expect(Date.now() - Date.parse(asOf!)).toBeGreaterThanOrEqual(15 * 60_000)
    // Yesterday it was not there.
    await page.goto(`/prices/acme/young-model?asOf=${instantOf(Date.now() - DAY)}`)
    await page.getByText('No prices at this instant').waitFor()
  })

  it('is also there when it is all that there is: imported history is a feed on the first day', async () => {
    const at = (ago: number) => instantOf(Date.now() - ago * DAY)
    await take(list(...model('riser', 0.000002, { provider: 'acme' })), at(90))
    await take(list(...model('riser', 0.000003, { provider: 'acme' })), at(60))
    await db.sql`delete from event`
    const page = await reader()
    await page.goto('/')
    await page.getByText('From the price history').waitFor()
    await page.getByText('+50% up').first().waitFor()
    // Both prices of the model stand under one name.
    expect(await page.getByRole('link', { name: 'riser' }).count()).toBe(1)
    expect(await page.getByText('+50% up').count()).toBe(2)
  })
})
