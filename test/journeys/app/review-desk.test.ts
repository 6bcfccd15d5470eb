import { describe, expect, it } from 'vitest'
import { DAY, instantOf, MINUTE } from '../../../src/lib/instant.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { model, models } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

const [SINGLE, MASS] = [48, 2]
const FIVE_MINUTES_MS = 300_000
const LINES = 500

describe('an operator with fifty items, two of them of 500 lines', { timeout: 480_000 }, () => {
  const db = testDatabase({ each: true })
  const app = appBrowser(db)

  async function seed(): Promise<void> {
    // History is recorded in the order of its instants.
    let minute = 0
    const next = (ago: number) => ({ at: instantOf(Date.now() - ago * DAY + MINUTE * minute++) })
    for (let n = 0; n < MASS; n++) {
      const provider = `mass-${n}`
      const list = (factor: number) => [
        ...models(4, { provider }),
        ...Array.from({ length: LINES / 2 }, (_, i) =>
          model(`big-model-${i}`, Number((0.000002 * factor * (1 + i / 1000)).toPrecision(6)), { provider }),
        ).flat(),
      ]
      await snapshot(db.sql, provider, list(1), next(20))
      await snapshot(db.sql, provider, list(3.7), next(20))
    }
    for (let n = 0; n < SINGLE; n++) {
      const provider = `seller-${n}`
      const list = (price: number) => [...models(8, { provider }), ...model('model-x', price, { provider })]
      await snapshot(db.sql, provider, list(0.000002), next(20))
      await snapshot(db.sql, provider, list(0.002), next(20))
    }
  }

  it('decides all of them in less than five minutes, by keyboard', async () => {
    await seed()
    expect(await openReviewItems(db.sql, 100)).toHaveLength(SINGLE + MASS)
    const page = await app.person((await addOperator(db.sql)).sessionToken)
    await page.goto('/operator/review?all=true')
    const item = page.getByRole('region', { name: 'The item' })
    const list = page.getByRole('list', { name: 'Items that wait' })
    await item.getByRole('heading', { level: 2 }).waitFor()
    const begun = Date.now()

    // The shared reason stands once, each price has one line, and the table scrolls by itself.
    await list
      .getByRole('button', { name: /Many prices/ })
      .first()
      .click()
    await item.getByText('500 prices of 250 resources. 500 changes: +270%.').waitFor()
    expect(await item.getByText('many prices at once', { exact: true }).count()).toBe(1)
    const rows = item.getByRole('table', { name: 'Prices that wait' }).getByRole('row')
    expect(await rows.count()).toBe(61)
    const height = await item.evaluate((element) => (element as unknown as { scrollHeight: number }).scrollHeight)
    expect(height).toBeLessThan(1_600)
    await inspect(page, 'review-mass')
    await expectFits(page)
    await item.getByRole('button', { name: /^Show all 500 prices/ }).click()
    await expect.poll(() => rows.count()).toBe(501)

    // Neither button is the one that a doubtful price is published with by default.
    const bar = page.getByRole('region', { name: 'Decide' })
    const looks = await bar
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((button) => (button as unknown as { dataset: { variant: string } }).dataset.variant),
      )
    expect(new Set(looks)).toEqual(new Set(['default']))

    // A key means one thing: d delists, and so it does nothing here.
    await page.getByRole('heading', { name: 'Review' }).click()
    await page.keyboard.press('d')
    await page.getByText('The key d delists prices').waitFor()

    for (let left = SINGLE + MASS; left > 0; left--) {
      await page.getByText(left === 1 ? '1 item waits' : `${left} items wait`, { exact: true }).waitFor()
      await rows.nth(1).waitFor()
      await page.keyboard.press(left % 2 === 0 ? 'r' : 'a')
    }
    await page.keyboard.press('u')
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText(`${SINGLE + MASS} decided here`).waitFor()
    expect(Date.now() - begun).toBeLessThan(FIVE_MINUTES_MS)
    expect(await openReviewItems(db.sql, 100)).toHaveLength(0)
  })

  it('delists with a key of its own, which no price is published with', async () => {
    const list = models(10, { provider: 'shrunk' })
    const at = (ago: number) => ({ at: instantOf(Date.now() - ago * DAY) })
    await snapshot(db.sql, 'shrunk', list, at(10))
    for (const ago of [9, 8, 7, 6]) await snapshot(db.sql, 'shrunk', list.slice(0, 14), at(ago))
    const page = await app.person((await addOperator(db.sql, 'rita@example.com')).sessionToken)
    await page.goto('/operator/review?kind=removal&all=true')
    const item = page.getByRole('region', { name: 'The item' })
    await item.getByText('Removal · shrunk').waitFor()
    await page.keyboard.press('a')
    await page.getByText('To delist prices, press d.').waitFor()
    await page.getByRole('button', { name: 'Delist prices d' }).waitFor()
    expect(await openReviewItems(db.sql, 100)).toHaveLength(1)
    await page.keyboard.press('d')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('1 decided here').waitFor()
    expect(await openReviewItems(db.sql, 100)).toHaveLength(0)
  })
})
