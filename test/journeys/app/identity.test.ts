import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { addAccount, addOperator, PASSWORD } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, inspect, screenshots } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'
import { identityProvider, type TestProvider } from '../../support/servers/identity-provider.ts'
import { freePort } from '../../support/servers/ports.ts'

const NAME = 'Acme login'
const BUTTON = `Sign in with ${NAME}`

describe('people with an identity provider', () => {
  const db = testDatabase()
  let provider: TestProvider
  const app = appBrowser(db, {
    env: async () => {
      provider = await identityProvider()
      const port = await freePort()
      return provider.settings({
        PRICETAPE_SECRET_KEY: SECRET_KEY,
        PORT: String(port),
        PRICETAPE_PUBLIC_URL: `http://localhost:${port}`,
        PRICETAPE_OIDC_ROLES: '/platform=First workspace:member',
      })
    },
  })
  afterAll(() => provider.close())
  beforeEach(async () => {
    await db.sql`truncate account, workspace cascade`
    await addOperator(db.sql)
    provider.lies = {}
    provider.person = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['/platform'] }
  })

  it('sign in with one click, go on where they wanted, and leave no code in the address or the history', async () => {
    const page = await app.person()
    await page.goto('/keys')
    await page.getByRole('button', { name: BUTTON }).waitFor()
    await inspect(page, 'sign-in-provider')
    await expectFits(page)
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/keys')
    // The role of the group: a member makes keys and does not invite.
    await page.goto('/members')
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    expect(await page.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
    await page.goBack()
    await page.goBack().catch(() => null)
    expect(page.url()).not.toContain('code=')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/code|state=/)
    // Signing out here goes on to the provider's page, which sends them back.
    await page.goto('/keys')
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: BUTTON }).waitFor()
    expect(provider.requests).toContain('GET /logout')
  })

  it('read what went wrong, and sign in with a password meanwhile', async () => {
    app.expected = [/status of (401|503)/]
    const page = await app.person()
    provider.lies = { claims: { aud: 'another' } }
    await page.goto('/sign-in')
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByText('it is for another service').waitFor()
    await inspect(page, 'sign-in-refused')
    expect(page.url()).toBe(`${app.url}/sign-in/callback`)
    provider.lies = { status: { '/.well-known/openid-configuration': 503, '/token': 503 } }
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByText(`${NAME} does not answer as it should`).waitFor()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill('olga@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
  })

  it('link their account, and unlink it again', async () => {
    const { sessionToken } = await addAccount(db.sql, 'bea@example.com')
    const page = await app.person(sessionToken)
    await page.goto('/account')
    await page.getByRole('button', { name: `Link ${NAME}` }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Your account is linked.').waitFor()
    await page.getByText('ada@example.com').waitFor()
    await inspect(page, 'account-linked')
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('button', { name: `Link ${NAME}` }).waitFor()
  })

  it('sign in again in another tab when their session ends, and keep what they typed', async () => {
    app.expected = [/status of 401/]
    const page = await app.person()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await page.goto('/account')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await db.sql`delete from session`
    await page.getByRole('button', { name: 'Save' }).click()
    const link = page.getByRole('link', { name: BUTTON })
    await link.waitFor()
    await screenshots(page, 'sign-in-again-provider')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.getByRole('button', { name: BUTTON }).click()
    await tab.getByRole('heading', { name: 'What changed' }).waitFor()
    await tab.close()
    await page.bringToFront()
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await link.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace')
    // Without a password, a recent sign-in confirms.
    await page.getByText('Your account has no password.').first().waitFor()
    await inspect(page, 'account-without-password')
  })
})
