import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/create-workspace.ts'
import { createFirstAccountLink } from '../../src/accounts/users/create-first-account-link.ts'
import { addOperator, anotherSession, PASSWORD } from '../support/accounts.ts'
import { appBrowser, inspect } from '../support/app-browser.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
const app = appBrowser(db)

/** What npm start makes, and the link on its screen. */
async function firstStart(): Promise<string> {
  const { workspaceId } = await createWorkspace(db.sql, { name: 'First workspace' })
  await createApiKey(db.sql, { workspaceId, name: 'First key' })
  return `/first-account#token=${await createFirstAccountLink(db.sql)}`
}

async function createFirst(page: Page): Promise<void> {
  await db.sql`truncate account, workspace cascade`
  await page.goto(await firstStart())
  await page.getByLabel('Your name').fill('Olga')
  await page.getByLabel('E-mail address').fill('olga@example.com')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'What changed' }).waitFor()
}

/** The operator of npm start, created when the first test needs it. */
async function addOperatorOnce(): Promise<string> {
  const [found] = await db.sql`select from account where email_key = 'olga@example.com'`
  return found ? anotherSession(db.sql, 'olga@example.com') : (await addOperator(db.sql)).sessionToken
}

const signInAs = (page: Page, token: string): Promise<void> =>
  page.context().addCookies([{ name: 'pricetape', value: token, url: app.url, httpOnly: true, sameSite: 'Lax' }])

describe('people in the app', () => {
  it('create the first account, then a key whose request works as it is shown', async () => {
    const page = await app.person()
    await createFirst(page)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByText('First key').waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel(/^Name/).fill('<img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const request = await page.getByText('curl -H').textContent()
    const key = /Bearer (\S+)'/.exec(request!)![1]!
    const answer = await fetch(`${app.url}/v1/providers`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    await inspect(page, 'key-shown-once')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: /<img src=x/ }).waitFor()
    expect(await page.content()).not.toContain(key)
    await inspect(page, 'keys')
  })

  it('invite somebody, who joins from the link; the last admin cannot leave, and a new admin can be made', async () => {
    const admin = await app.person()
    await signInAs(admin, await addOperatorOnce())
    await admin.goto('/members')
    await admin.getByRole('button', { name: 'Invite somebody' }).click()
    await admin.getByLabel(/^E-mail address/).fill('mia@example.com')
    await admin.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = new URL((await admin.getByText('/invitation#token=').textContent())!)
    await admin.getByRole('button', { name: 'Done' }).click()
    await inspect(admin, 'members-invited')

    const member = await app.person()
    await member.goto(link.pathname + link.hash)
    await member.getByRole('heading', { name: 'Join' }).waitFor()
    await inspect(member, 'invitation')
    await member.getByLabel('Your name').fill('Mia')
    await member.getByLabel(/^Password/).fill('short')
    await member.getByRole('button', { name: 'Create an account and join' }).click()
    app.expected.push(/status of 400/)
    await member.getByText('must have at least 12 characters').waitFor()
    expect(await member.getByLabel('Your name').inputValue()).toBe('Mia')
    await member.getByLabel(/^Password/).fill(PASSWORD)
    await member.getByRole('button', { name: 'Create an account and join' }).click()
    await member.getByRole('heading', { name: 'What changed' }).waitFor()
    await member.goto('/members')
    await member.getByText('olga@example.com').waitFor()
    expect(await member.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0)

    await admin.reload()
    await admin.getByRole('button', { name: 'Actions for Olga' }).click()
    await admin.getByText('The last admin stays admin').waitFor()
    expect(await admin.getByRole('menuitem', { name: 'Leave the workspace' }).isDisabled()).toBe(true)
    await admin.keyboard.press('Escape')
    await admin.getByRole('button', { name: 'Actions for Mia' }).click()
    await admin.getByRole('menuitem', { name: 'Make admin' }).click()
    await admin.getByRole('row', { name: /Mia.*admin/ }).waitFor()
    await member.reload()
    await member.getByRole('button', { name: 'Invite somebody' }).waitFor()
  })

  it('are led to sign-in and back to the page they wanted, and sign out', async () => {
    const page = await app.person()
    await addOperatorOnce()
    app.expected.push(/status of 401/)
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel(/^E-mail address/).fill('olga@example.com')
    await page.getByLabel(/^Password/).fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await inspect(page, 'sign-in')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await inspect(page, 'account')
    await page.getByRole('button', { name: 'Account of Olga' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('get the app at the start, where programs get JSON, and at the address of every page', async () => {
    expect(await (await fetch(app.url)).json()).toMatchObject({ service: 'pricetape' })
    const router = await readFile(join(import.meta.dirname, '../../src/web/router.tsx'), 'utf8')
    const paths = [...router.matchAll(/(?:page|publicPage)\('(\/[^']*)'|path: '(\/[^']*)'/g)].map(
      (found) => found[1] ?? found[2]!,
    )
    expect(paths).toContain('/keys')
    for (const path of paths) {
      const answer = await fetch(app.url + path, { headers: { accept: 'text/html' } })
      expect(`${path} ${answer.headers.get('content-type')}`).toBe(`${path} text/html; charset=utf-8`)
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'; style-src")
    }
  })
})
