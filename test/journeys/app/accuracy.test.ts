import { describe, expect, it } from 'vitest'
import { addOperator } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'
import { measuredDays } from '../../support/suite/measured.ts'

describe('how sure what is served is, in the app', () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_PUBLIC_PAGES: 'true' } })

  it('is a page for operators: totals, 30 days, and each provider with the way to its contradicted prices', async () => {
    const page = await app.person((await addOperator(db.sql)).sessionToken)
    await page.goto('/operator/accuracy')
    await page.getByText('Not measured yet').waitFor()
    await measuredDays(db.sql)
    await page.reload()
    const totals = page.getByRole('group', { name: 'All served prices' })
    await totals.getByText('3.6%').waitFor()
    expect(await totals.textContent()).toMatch(/Served\s*28\s*prices\s*Contradicted\s*3\.6%\s*1\s*Unconfirmed\s*0%/)
    expect(await totals.textContent()).toMatch(
      /By provider\s*36%\s*10\s*Independent\s*14%\s*4\s*Own list\s*46%\s*13\s*Published after\s*0 h\s*1 change in a day/,
    )
    await page.getByRole('img', { name: /^5 days until .*: unconfirmed 0%, contradicted 3\.6%$/ }).waitFor()
    const rows = page.getByRole('row')
    expect(await rows.nth(1).textContent()).toMatch(/acme\s*from a community list\s*18\s*1\s*5\.6%/)
    expect(await rows.nth(2).textContent()).toMatch(/maker\s*from the provider itself\s*10\s*0/)
    await inspect(page, 'accuracy')
    await expectFits(page)
    await page.getByRole('link', { name: 'Contradicted prices of acme: 1' }).click()
    await page.getByRole('heading', { name: 'Contradicted prices of acme' }).waitFor()
    const contested = page.getByRole('row', { name: /contested/ })
    expect(await contested.textContent()).toMatch(/contested\s*Input\s*2\s*.*from list\s*3 first-list\s*3 second-list/)
    await inspect(page, 'accuracy-contradicted')
    expect(await contested.getByRole('link', { name: 'contested' }).getAttribute('href')).toMatch(
      /^\/operator\/prices\?provider=acme&resource=contested$/,
    )
    await contested.getByRole('link', { name: '2', exact: true }).click()
    await page.getByRole('heading', { name: 'Evidence for contested' }).waitFor()
    await page.goto('/operator/accuracy?provider=maker')
    await page.getByText('None of its prices is contradicted now.').waitFor()
  })
})
