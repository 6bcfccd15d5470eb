import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { addOperator } from '../support/accounts.ts'
import { SECRET_KEY } from '../support/app/app.ts'
import { appBrowser } from '../support/app/app-browser.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { lacks } from '../support/suite/needs.ts'
import { type Keycloak, startKeycloak } from '../support/toolchains/keycloak.ts'

const SECRET = 'a secret of the client'
const ADA = { username: 'ada', password: "ada's password" }

/** What an administrator sets up: groups, people in them, and this service as a client that gets the groups. */
const realm = (origin: string) => ({
  realm: 'acme',
  enabled: true,
  groups: [{ name: 'platform', subGroups: [{ name: 'admins' }] }],
  clients: [
    {
      clientId: 'pricetape',
      secret: SECRET,
      protocol: 'openid-connect',
      publicClient: false,
      redirectUris: [`${origin}/sign-in/callback`],
      attributes: { 'post.logout.redirect.uris': `${origin}/sign-in`, 'pkce.code.challenge.method': 'S256' },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'true', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  users: [
    {
      username: ADA.username,
      email: 'ada@example.com',
      emailVerified: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      enabled: true,
      groups: ['/platform/admins'],
      credentials: [{ type: 'password', value: ADA.password, temporary: false }],
    },
    {
      username: 'eve',
      email: 'olga@example.com',
      emailVerified: false,
      firstName: 'Eve',
      lastName: 'E',
      enabled: true,
      groups: ['/platform/admins'],
      credentials: [{ type: 'password', value: ADA.password, temporary: false }],
    },
  ],
})

describe.skipIf(lacks('Java and Maven'))('Keycloak (needs Java and Maven)', { timeout: 900_000 }, () => {
  const db = testDatabase()
  let keycloak: Keycloak
  const app = appBrowser(db, {
    env: async () => {
      await addOperator(db.sql)
      const port = await freePort()
      keycloak = await startKeycloak(realm(`http://localhost:${port}`))
      return {
        PRICETAPE_SECRET_KEY: SECRET_KEY,
        PORT: String(port),
        PRICETAPE_PUBLIC_URL: `http://localhost:${port}`,
        PRICETAPE_OIDC_ISSUER: keycloak.issuer,
        PRICETAPE_OIDC_CLIENT_ID: 'pricetape',
        PRICETAPE_OIDC_CLIENT_SECRET: SECRET,
        PRICETAPE_OIDC_NAME: 'Keycloak',
        PRICETAPE_OIDC_ROLES: '/platform/admins=First workspace:admin',
      }
    },
  })
  afterAll(() => keycloak?.stop())

  async function signInAt(page: Page, username: string) {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
    await page.locator('#username').fill(username)
    await page.locator('#password').fill(ADA.password)
    await page.locator('#kc-login').click()
  }

  it('signs someone in with the role of their group, and out again', async () => {
    // Its own pages are not ours to check.
    app.expected = [/./]
    const page = await app.person()
    await signInAt(page, ADA.username)
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await page.goto('/members')
    await page.getByRole('button', { name: 'Invite people' }).waitFor()
    await page.getByText('Ada Lovelace').first().waitFor()
    const entries = await db.sql`select action from audit_entry where email = 'ada@example.com' order by entry_id`
    expect(entries.map(({ action }) => action)).toEqual(['account_created', 'role_changed', 'signed_in'])
    await page.getByRole('button', { name: 'Account of Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    // Keycloak asks before it signs out, because no token stands in the address.
    await page.locator('#kc-logout').click()
    await page.getByRole('button', { name: 'Sign in with Keycloak' }).click()
    await page.locator('#username').waitFor()
  })

  it('signs no one in with an address that is not confirmed there', async () => {
    app.expected = [/./]
    const page = await app.person()
    await signInAt(page, 'eve')
    await page.getByText('has not confirmed that olga@example.com is your e-mail address').waitFor()
  })
})
