import { describe, expect, it } from 'vitest'
import { addOperator } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

describe('what a platform team limits', () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY } })

  it('is where a key may be used, what a workspace may have, and leaves a log that can be taken away', async () => {
    const { sessionToken } = await addOperator(db.sql)
    const page = await app.person(sessionToken)

    await page.goto('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel(/^Name/).fill('Nightly')
    await page.getByLabel('May be used from').fill('203.0.113.7/24')
    await page.getByRole('button', { name: 'Create the key' }).click()
    app.expected = [/status of 400/]
    await page.getByText('write 203.0.113.0/24').waitFor()
    await page.getByLabel('May be used from').fill('203.0.113.0/24, 2001:db8::/32')
    await inspect(page, 'key-networks')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('2 networks').waitFor()
    await page.getByRole('button', { name: 'Networks of Nightly' }).click()
    await page.getByRole('dialog').getByLabel('May be used from').fill('203.0.113.0/24\n2001:db8::/32\n198.51.100.7')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('3 networks').waitFor()
    await expectFits(page)

    await page.goto('/operator/workspaces')
    await page.getByRole('button', { name: 'Change the quotas of First workspace' }).click()
    await page.getByLabel('API keys').fill('1')
    await page.getByLabel('Requests a minute').fill('601')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Must be at most 600').waitFor()
    await page.getByLabel('Requests a minute').fill('600')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 of 1').waitFor()
    await inspect(page, 'quotas')
    await expectFits(page)

    await page.goto('/operator/audit')
    await page.getByRole('button', { name: 'Download all' }).click()
    const link = page.getByRole('dialog').getByRole('link', { name: 'Download' })
    await link.waitFor()
    await inspect(page, 'audit-download')
    const file = await (await page.request.get((await link.getAttribute('href'))!)).text()
    expect(
      file
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[2]),
    ).toEqual(['account_created', 'signed_in', 'key_created', 'key_changed', 'quota_changed'])
  })
})
