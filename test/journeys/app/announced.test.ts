import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import type { AnnouncedPrice, Observation } from '../../../src/prices/schema.ts'
import { model, observed } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, expectFits, inspect, screenshots } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()
const app = appBrowser(db)
const TODAY = instantOf(Math.floor(Date.now() / DAY) * DAY)
const ago = (days: number): Instant => plus(TODAY, -days * DAY)
const begins = plus(TODAY, 40 * DAY)
const shownDay = new Date(begins)
  .toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  .replace('Sept', 'Sep')
let session: string

/** A model with two tiers, of which a higher price is announced, and a tier that begins later. */
beforeAll(async () => {
  const BATCH = { pricingTier: { service: 'batch' } }
  const lines = [
    observed('titan-2', 'input_tokens', '0.00000075'),
    observed('titan-2', 'output_tokens', '0.000003'),
    observed('titan-2', 'input_tokens', '0.00000037', BATCH),
    ...model('titan-mini', 0.000001),
  ]
  const ahead = (
    dimension: Observation['dimension'],
    price: string,
    more: Partial<Observation> = {},
  ): AnnouncedPrice => ({
    observation: observed('titan-2', dimension, price, { effectiveFrom: begins.slice(0, 10), ...more }),
    from: begins,
  })
  const announced = [
    ahead('input_tokens', '0.0000015'),
    ahead('output_tokens', '0.000006'),
    ahead('input_tokens', '0.00000075', BATCH),
    ahead('cache_read_tokens', '0.00000015'),
  ]
  const take = (days: number, prices: AnnouncedPrice[]) => {
    const parsed = {
      providers: [{ provider: 'acme', name: 'Acme' }],
      observations: lines,
      ignored: [],
      announced: prices,
    }
    return snapshot(db.sql, 'acme-pricing', lines, { at: ago(days), parsed })
  }
  await take(9, [])
  await take(6, announced.slice(0, 3))
  await take(3, announced)
  await take(2, [...announced.slice(0, 1), ...announced.slice(2)])
  await take(1, announced)
  session = (await addOperator(db.sql)).sessionToken
})

const reader = (): Promise<Page> => app.person(session)

describe('an announced price', () => {
  it('stands beside the price of today with its day, for each line, and only from when it was announced', async () => {
    const page = await reader()
    await page.goto('/prices/acme/titan-2')
    await page.getByText(`1.50 from ${shownDay}`).waitFor()
    await page.getByText(`0.75 from ${shownDay}`).waitFor()
    await page.getByText(`6.00 from ${shownDay}`).waitFor()
    await page.getByText(`0.15 from ${shownDay}`).waitFor()
    await inspect(page, 'announced')
    await expectFits(page)
    await page.goto(`/prices/acme/titan-2?asOf=${ago(8)}`)
    await page.getByRole('heading', { name: 'All rows' }).waitFor()
    expect(await page.getByText(` from ${shownDay}`).count()).toBe(0)
  })

  it('is below the price of today in the table of all models', async () => {
    const page = await reader()
    await page.goto('/prices?q=titan-2')
    const row = page.getByRole('row').filter({ hasText: 'titan-2' })
    await row.waitFor()
    const day = shownDay.replace(/ \d{4}$/, '')
    for (const price of ['1.50', '6.00']) await row.getByText(`from ${day}: ${price}`).waitFor()
    await inspect(page, 'announced-prices')
    await expectFits(page)
    await page.goto(`/prices?q=titan-2&asOf=${ago(8)}`)
    await row.waitFor()
    expect(await row.getByText(/^from /).count()).toBe(0)
  })

  it('is among the changes where its kind is chosen, and not among all of them', async () => {
    const page = await reader()
    await page.goto(`/?types=${encodeURIComponent('["price.announced"]')}`)
    const day = begins.slice(0, 10)
    await page.getByText(`Announced for ${day}.`).first().waitFor()
    await page.getByText(`No longer announced: 6.00 from ${day}.`).waitFor()
    await screenshots(page, 'announced-changes')
    await page.goto('/')
    await page.getByText('Acme').first().waitFor()
    expect(await page.getByText('Announced for').count()).toBe(0)
  })

  it('is an event of webhooks that no one has chosen yet', async () => {
    const page = await reader()
    await page.goto('/webhooks/new')
    const choice = page.getByRole('checkbox', { name: 'A price is announced for a day to come' })
    await choice.waitFor()
    expect(await choice.isChecked()).toBe(false)
    await page.getByText('Sent ahead of its day.').waitFor()
    await inspect(page, 'announced-webhook')
    await choice.check()
    await page
      .getByText(/announced prices/)
      .first()
      .waitFor()
  })
})
