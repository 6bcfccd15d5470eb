import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY, instantOf } from '../../../src/lib/instant.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { declareDocument, fetches } from '../../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../../terms/texts.ts'

const LONG = `${TERMS}

## 5. Law

5.1 The law of your country applies to this agreement.

5.2 You may not do any of the following:

(a) copy the service or any part of it for others;

(b) sell the service or any part of it to others.

## 6. End

6.1 Either of us may end this agreement at any time.
`
const CHANGED = replaceIn(replaceIn(LONG, '30 days notice', '14 days notice'), 'sell the service', 'rent the service')
const HOME = '/documents/example/terms'

describe('a document that is public', () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_PUBLIC_PAGES: 'true' } })
  let session = ''
  let text = ''

  beforeAll(async () => {
    session = (await addOperator(db.sql)).sessionToken
    const start = instantOf(Date.now() - 30 * DAY)
    const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, start)
    await at(0, LONG)
    await at(6, CHANGED)
    const { versionId } = await at(31, CHANGED)
    text = `${HOME}?to=${versionId}&view=text`
  })

  const reader = (): Promise<Page> => app.person(session)
  const top = (page: Page, id: string) =>
    page.evaluate<number>(`document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top`)

  it('looks as the app does, in light and dark, and leads there', async () => {
    const page = await app.person()
    const looks = () =>
      page.evaluate<string[]>(`(() => {
        const body = getComputedStyle(document.body)
        const link = getComputedStyle(document.querySelector('main a[href^="http"], main .mantine-Anchor-root'))
        return [body.backgroundColor, body.color, body.fontFamily, link.color]
      })()`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(HOME)
      const own = await looks()
      await page.goto('/documents')
      await page.locator('main .mantine-Anchor-root').first().waitFor()
      await page.getByRole('link', { name: 'Terms of Service' }).click()
      await page.getByRole('link', { name: 'original text' }).waitFor()
      expect(own, colorScheme).toEqual(await looks())
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(HOME)
    await inspect(page, 'public-document')
    await expectFits(page)
    await byKeyboard(page).press(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Prices' }))
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
  })

  it('names the clause of each change, and opens a clause that is folded', async () => {
    const page = await app.person()
    await page.goto(HOME)
    await page
      .locator('.pair', { has: page.locator('del', { hasText: 'sell' }) })
      .getByText('§ 5.2(b)')
      .waitFor()
    await page.locator('.changes').getByRole('link', { name: 'Payment' }).click()
    expect(new URL(page.url()).hash).toMatch(/^#part-\d+$/)
    await page.goto(`${HOME}#clause-6.1`)
    await page.getByText('6.1 Either of us may end this agreement at any time.').waitFor()
    expect(await top(page, 'clause-6.1')).toBeLessThan(800)
  })

  it('has an address for each clause of each version, which works for visitors and in the app', async () => {
    const visitor = await app.person()
    await visitor.goto(text)
    await inspect(visitor, 'public-document-text')
    await expectFits(visitor)
    const keyboard = byKeyboard(visitor)
    await keyboard.press(visitor.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: '5. Law' }))
    expect(new URL(visitor.url()).hash).toBe('#clause-5')
    await keyboard.press(visitor.getByRole('link', { name: 'Link to § 5.2(b)' }))
    const address = visitor.url().replace(app.url, '')
    expect(address).toBe(`${text}#clause-5.2-b`)
    expect(await visitor.getByRole('region', { name: 'Cite this' }).textContent()).toMatch(
      /as recorded \d{4}-.*Z, http/,
    )

    const page = await reader()
    await page.goto(address)
    const clause = page.locator('[id="clause-5.2-b"]')
    await clause.getByText('(b) rent the service or any part of it to others.').waitFor()
    await expect.poll(() => clause.getAttribute('data-named')).toBe('true')
    await expect.poll(() => top(page, 'clause-5.2-b')).toBeLessThan(800)
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: '6. End' }).waitFor()
    await page.getByText(/^example, Terms of Service, as recorded .*view=text$/).waitFor()
    await inspect(page, 'document-text')
    await expectFits(page)
  })

  it('opens a folded clause in the app too, and cites the clause of a change', async () => {
    const page = await reader()
    await page.goto(`${HOME}#clause-6.1`)
    await page.getByText('6.1 Either of us may end this agreement at any time.').first().waitFor()
    await inspect(page, 'document-difference-clauses')
    await byKeyboard(page).press(page.getByRole('link', { name: 'Link to § 5.2(b), Law' }))
    await page.waitForURL(/view=text.*#clause-5\.2-b$/)
    await page.getByRole('radio', { name: 'Text', checked: true }).waitFor({ state: 'attached' })
  })
})
