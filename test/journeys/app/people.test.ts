import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { sendInvitation } from '../../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { createFirstAccountLink } from '../../../src/accounts/users/links/create-first-account-link.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import {
  addAccount,
  addMember,
  addOperator,
  anotherSession,
  PASSWORD,
  silentMail,
  tokenOf,
} from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, expectFits, hold, inspect, screenshots } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { addWebhook, addWorkspace } from '../../support/webhooks/subscriptions.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

const db = testDatabase()
const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY } })

/** What npm start makes, and the link on its screen. */
async function firstStart(): Promise<string> {
  const { workspaceId } = await createWorkspace(db.sql, { name: 'First workspace' })
  await createApiKey(db.sql, { workspaceId, name: 'First key' })
  return `/first-account#token=${await createFirstAccountLink(db.sql)}`
}

/** Returns the link, which is used up. */
async function createFirst(page: Page): Promise<string> {
  const keyboard = byKeyboard(page)
  const link = await firstStart()
  await page.goto(link)
  await keyboard.type(page.getByLabel('Your name'), 'Olga')
  await keyboard.type(page.getByLabel('E-mail address'), 'olga@example.com')
  await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
  await keyboard.press(page.getByRole('button', { name: 'Create the account' }))
  await page.getByRole('heading', { name: 'What changed' }).waitFor()
  return link
}

/** The operator of npm start, created when the first test needs it. */
async function addOperatorOnce(): Promise<string> {
  const [found] = await db.sql`select from account where email_key = 'olga@example.com'`
  return found ? anotherSession(db.sql, 'olga@example.com') : (await addOperator(db.sql)).sessionToken
}

/** Has a code asked for after the password of someone. Returns the secret of their authenticator app. */
async function turnCodesOn(sessionToken: string): Promise<string> {
  const headers = { cookie: `pricetape=${sessionToken}`, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    fetch(`${app.url}/v1/account/totp${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { secret } = (await (await post('', { currentPassword: PASSWORD })).json()) as { secret: string }
  expect((await post('/confirm', { code: new TOTP({ secret }).generate() })).status).toBe(200)
  return secret
}

/** Chromium's own device for passkeys, in the place of a fingerprint reader. */
async function addDevice(page: Page) {
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const present = (enabled: boolean) =>
    chromium.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return { leave: () => present(false), comeBack: () => present(true) }
}

/** Counts in a page how often it asks the device for a passkey. */
const COUNT_ASKED = `
  globalThis.asked = 0
  const get = navigator.credentials.get.bind(navigator.credentials)
  navigator.credentials.get = (options) => {
    globalThis.asked++
    return get(options)
  }`

type Node = { ownerDocument: { activeElement: unknown } }
const isFocused = (node: Node): boolean => node === node.ownerDocument.activeElement

describe('people in the app, by keyboard alone', () => {
  it('create the first account, then one key with two presses, whose request works as it is shown', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    await db.sql`truncate account, workspace cascade`
    await page.goto('/')
    await page.getByRole('heading', { name: 'No account exists yet' }).waitFor()
    await page.getByText('npx pricetape account link').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await inspect(page, 'no-account-yet')
    await page.goto('/first-account')
    await page.getByRole('heading', { name: 'No account exists yet' }).waitFor()
    const link = await createFirst(page)
    // Opened once more, it asks for nothing that would be refused.
    await page.goto(link)
    await page.getByRole('heading', { name: 'The first account exists already' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await keyboard.press(page.getByRole('link', { name: 'Go to home' }))
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await keyboard.press(page.getByRole('link', { name: 'API keys' }))
    await page.getByText('First key').waitFor()
    // A screen reader says which page was opened, and Tab goes on from there.
    await expect.poll(() => page.getByRole('heading', { name: 'API keys' }).evaluate(isFocused)).toBe(true)
    await keyboard.press(page.getByRole('button', { name: 'Create a key' }))
    await keyboard.type(page.getByLabel(/^Name/), HOSTILE)
    await keyboard.reach(page.getByRole('button', { name: 'Create the key' }))
    await keyboard.keys('Enter', 'Enter')
    const request = await page.getByText('curl -H').textContent()
    const key = /Bearer (\S+)'/.exec(request!)![1]!
    const answer = await fetch(`${app.url}/v1/providers`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    await inspect(page, 'key-shown-once')
    await keyboard.keys('Escape')
    await page.mouse.click(5, 5)
    expect(await page.getByText('curl -H').textContent()).toBe(request)
    await keyboard.press(page.getByRole('button', { name: 'I have copied it' }))
    await page.getByRole('row', { name: /<img src=x/ }).waitFor()
    expect(await page.getByRole('row', { name: /<img src=x/ }).count()).toBe(1)
    await expect.poll(() => page.content()).not.toContain(key)
    await inspect(page, 'keys')
    await keyboard.press(page.getByRole('button', { name: 'Delete First key' }))
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }))
    await page.getByRole('row', { name: /First key/ }).waitFor({ state: 'detached' })
  })

  it('join with the account they have, and the link of the invitation is sent to no server', async () => {
    await addOperatorOnce()
    const [olga] = await db.sql<{ accountId: string; workspaceId: string }[]>`
      select account_id as "accountId", workspace_id as "workspaceId" from workspace_member join account using (account_id)
      where email_key = 'olga@example.com'`
    await addAccount(db.sql, 'nora@example.com')
    const invited = { email: 'nora@example.com', role: 'member' as const }
    const { link } = await sendInvitation(db.sql, silentMail(), olga!, invited)
    const page = await app.person()
    const keyboard = byKeyboard(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const { pathname, hash } = new URL(link!)
    await page.goto(pathname + hash)
    await keyboard.press(page.getByRole('button', { name: 'Sign in and join' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toBe(`${app.url}/sign-in?next=%2Finvitation${hash}`)
    await page.reload()
    await keyboard.type(page.getByLabel(/^E-mail address/), 'nora@example.com')
    await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
    await keyboard.press(page.getByRole('button', { name: 'Join with this account' }))
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    expect(asked.map((url) => url.split('#')[0]).filter((url) => url!.includes(tokenOf(link!)))).toEqual([])
  })

  it('see what beside the changes could not be read, and read it again', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    const refused = /\/v1\/(app\/overview|account\/feed|webhooks\?)/
    await page.route(refused, (route) => route.fulfill({ status: 400, body: '' }))
    app.expected.push(/status of 400/, /status of 429/)
    let asked = 0
    await page.route('**/v1/app/feed*', (route) => {
      asked += 1
      const json = { error: { code: 'rate_limited', message: 'Too many requests: wait 1 s.' } }
      return asked === 1 ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json }) : route.continue()
    })
    await page.goto('/')
    // Too many requests at once: the page waits as long as the answer says, and no one has to press anything.
    await expect.poll(() => asked).toBe(2)
    expect(await page.getByText('Too many requests').count()).toBe(0)
    const failed = page.getByText('The service answered 400')
    await expect.poll(() => failed.count()).toBe(3)
    await screenshots(page, 'changes-unread')
    await page.unroute(refused)
    for (const count of [2, 1, 0]) {
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await expect.poll(() => failed.count()).toBe(count)
    }
    await page.getByText('A private URL for your feed reader.').waitFor()
  })

  it('are asked what they confirm also when they press before the dialogs are loaded', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    const load = await hold(page, '**/assets/dialogs-*.js')
    await page.goto('/account')
    const everywhere = page.getByRole('button', { name: 'Sign out everywhere' })
    await everywhere.click()
    await everywhere.click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await load()
    await page.getByRole('dialog', { name: 'Sign out everywhere?' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await everywhere.click()
    await page.getByRole('dialog', { name: 'Sign out everywhere?' }).waitFor()
  })

  it('delete a webhook and ask for it no more, however long the list takes to be loaded', async () => {
    const page = await app.person()
    await addOperatorOnce()
    const { accountId, sessionToken } = await addAccount(db.sql, 'wanda@example.com')
    const workspaceId = await addWorkspace(db.sql, 'Wanda')
    await addMember(db.sql, workspaceId, accountId, 'admin')
    const webhookId = await addWebhook(db.sql, workspaceId, { name: 'Prices', providers: ['*'] })
    await app.signIn(page, sessionToken)
    await page.clock.install()
    await page.goto(`/webhooks/${webhookId}`)
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
    const list = '**/assets/webhooks-*.js'
    const load = await hold(page, list)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes(`/v1/webhooks/${webhookId}`) && asked.push(request.method()))
    const [loading] = await Promise.all([
      page.waitForRequest(list),
      (async () => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Delete the webhook' }).click()
      })(),
    ])
    expect(loading.failure()).toBeNull()
    // The page that is left asks every five seconds.
    await page.clock.runFor(20_000)
    // The room of the page is kept while it is loaded.
    const room = await page.getByRole('status', { name: 'Loading' }).boundingBox()
    expect(room!.height).toBeGreaterThan(600)
    await load()
    await page.getByText('No webhooks yet').waitFor()
    expect(asked.slice(asked.indexOf('DELETE'))).toEqual(['DELETE'])
  })

  it('keep their page when a part of the app is gone since an upgrade, and are asked to load it again', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    await app.signIn(page, await addOperatorOnce())
    await page.goto('/account')
    await keyboard.type(page.getByLabel('Your name'), 'Typed before')
    const gone = '**/assets/palette-*.js'
    await page.route(gone, (route) => route.fulfill({ status: 404, body: '' }))
    app.expected.push(/status of 404/)
    await Promise.all([page.waitForResponse(/palette-.*\.js$/), keyboard.keys('Control+k')])
    await page.getByText('A part of this app is missing').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Typed before')
    await screenshots(page, 'part-missing')
    await page.unroute(gone)
    await keyboard.press(page.getByRole('button', { name: 'Load the page again' }))
    await page.getByText('A part of this app is missing').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await keyboard.keys('Control+k')
    await page.getByPlaceholder(/^Find a page/).waitFor()
  })

  it('invite someone, who joins from the link; the last admin cannot leave; roles are given and taken', async () => {
    const admin = await app.person()
    const keyboard = byKeyboard(admin)
    await app.signIn(admin, await addOperatorOnce())
    await admin.goto('/members')
    await keyboard.press(admin.getByRole('button', { name: 'Invite people' }))
    await keyboard.type(admin.getByLabel(/^E-mail address/), 'mia@example.com')
    await keyboard.press(admin.getByRole('button', { name: 'Invite', exact: true }))
    const link = new URL((await admin.getByText('/invitation#token=').textContent())!)
    await keyboard.press(admin.getByRole('button', { name: 'Done' }))
    await inspect(admin, 'members-invited')
    await expectFits(admin)
    const member = await joins(link)

    await admin.reload()
    const actions = (name: string) => admin.getByRole('button', { name: `Actions for ${name}` })
    await keyboard.press(actions('Olga'))
    // The menu takes the focus a moment after it is shown.
    await admin.locator('[role=menu]:focus-within').getByText('The last admin stays admin').waitFor()
    expect(await admin.getByRole('menuitem', { name: 'Leave the workspace' }).isDisabled()).toBe(true)
    await keyboard.keys('Escape')
    await keyboard.choose(actions('Mia'), admin.getByRole('menuitem', { name: 'Change role to admin' }))
    await admin.getByRole('row', { name: /Mia.*admin/ }).waitFor()
    await member.reload()
    const mias = byKeyboard(member)
    await mias.press(member.getByRole('button', { name: 'Invite people' }))
    await mias.type(member.getByLabel(/^E-mail address/), 'typed@example.com')
    await keyboard.choose(actions('Mia'), admin.getByRole('menuitem', { name: 'Change role to member' }))
    await admin.getByRole('row', { name: /Mia.*member/ }).waitFor()
    app.expected.push(/status of 403/)
    await mias.press(member.getByRole('button', { name: 'Invite', exact: true }))
    await member.getByRole('dialog').getByText('Only admins of this workspace may do this').waitFor()
    await member.getByRole('button', { name: 'Invite people' }).waitFor({ state: 'detached' })
    expect(await member.getByLabel(/^E-mail address/).inputValue()).toBe('typed@example.com')
    await admin.getByRole('cell', { name: HOSTILE }).first().waitFor()
    expect(await admin.locator('img[src=x]').count()).toBe(0)
  })

  /** Opens the link of an invitation, gives a bad password and then a good one. */
  async function joins(link: URL): Promise<Page> {
    const member = await app.person()
    const keyboard = byKeyboard(member)
    const asked: string[] = []
    member.on('request', (request) => request.url().endsWith('/v1/invitations/read') && asked.push(request.url()))
    await member.goto(link.pathname + link.hash)
    await member.getByRole('heading', { name: 'Join' }).waitFor()
    await inspect(member, 'invitation')
    await keyboard.type(member.getByLabel('Your name'), `Mia ${HOSTILE}`)
    await keyboard.type(member.getByLabel(/^Password/), 'short')
    await keyboard.press(member.getByRole('button', { name: 'Create an account and join' }))
    app.expected.push(/status of 400/)
    await member.getByText('must have at least 12 characters').waitFor()
    expect(await member.getByLabel('Your name').inputValue()).toBe(`Mia ${HOSTILE}`)
    await keyboard.type(member.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(member.getByRole('button', { name: 'Create an account and join' }))
    await member.getByRole('heading', { name: 'What changed' }).waitFor()
    await keyboard.press(member.getByRole('link', { name: 'Members' }))
    await member.getByText('olga@example.com').waitFor()
    // It works once: reading it again would be refused.
    expect(asked).toHaveLength(1)
    expect(await member.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
    return member
  }

  it('are led to sign-in and back to the page they wanted, and sign out', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    await addOperatorOnce()
    app.expected.push(/status of 401/)
    const answer = await hold(page, '**/v1/account/passkeys')
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await keyboard.type(page.getByLabel(/^E-mail address/), 'olga@example.com')
    await keyboard.type(page.getByLabel(/^Password/), 'a wrong password')
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await inspect(page, 'sign-in')
    await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor()
    await answer()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
    await inspect(page, 'account')
    await keyboard.press(page.getByRole('button', { name: /^Workspace: / }))
    await keyboard.reach(page.getByRole('menuitem', { name: 'All workspaces' }), 'ArrowDown')
    await keyboard.keys('Enter')
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
    await inspect(page, 'workspaces')
    await keyboard.keys('Control+k')
    await page.getByPlaceholder(/^Find a page/).waitFor()
    await page.keyboard.type('sessions')
    await page.getByRole('button', { name: 'What changed' }).waitFor({ state: 'hidden' })
    await keyboard.keys('Enter')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await keyboard.choose(
      page.getByRole('button', { name: 'Account of Olga' }),
      page.getByRole('menuitem', { name: 'Sign out' }),
    )
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('are led on from the sign-in when they are signed in', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    await page.goto('/sign-in?next=%2Faccount#security')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    expect(new URL(page.url()).hash).toBe('#security')
    await page.goto('/sign-in')
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
  })

  it('sign in after someone else in the same browser, and see their own workspace', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    const next = await addAccount(db.sql, 'next@example.com')
    await foundWorkspace(db.sql, next, { name: 'Workspace of the next one' })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Workspace: First workspace' }).waitFor()
    await page.getByRole('button', { name: 'Account of Olga' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel(/^E-mail address/).fill('next@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await page.getByRole('button', { name: 'Workspace: Workspace of the next one' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Find a page/).fill('sign out')
    await page.getByRole('button', { name: 'What changed' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('sign out while a page still reads, and are not asked to sign in again', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    const isSignedOut = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await page.route('**/v1/sessions', async (route) => {
      await isSignedOut
      await route.continue()
    })
    const isRefused = page.waitForResponse((answer) => answer.url().endsWith('/v1/sessions') && answer.status() === 401)
    await page.route('**/sign-in-*.js', async (route) => {
      await isRefused
      // What a dialog would need to open.
      await page.evaluate('new Promise((shown) => setTimeout(shown, 300))')
      expect(await page.getByText('Your session has ended').count()).toBe(0)
      await route.continue()
    })
    await page.goto('/account')
    await page.getByRole('button', { name: 'Account of Olga' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('leave a workspace, and go on in the one they still have', async () => {
    const page = await app.person()
    await addOperatorOnce()
    const [first] = await db.sql<{ workspaceId: string }[]>`
      select workspace_id as "workspaceId" from workspace where name = 'First workspace'`
    const leaver = await addAccount(db.sql, 'leaver@example.com')
    await addMember(db.sql, first!.workspaceId, leaver.accountId, 'member')
    await foundWorkspace(db.sql, leaver, { name: 'Workspace that stays' })
    await app.signIn(page, leaver.sessionToken)
    await page.goto(`/members?workspace=${first!.workspaceId}`)
    await page.getByRole('button', { name: 'Actions for leaver' }).click()
    await page.getByRole('menuitem', { name: 'Leave the workspace' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('Who is in Workspace that stays').waitFor()
  })

  it('are offered no invitation that is for another address, and are asked for no code of another account', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    const [olga] = await db.sql<{ accountId: string; workspaceId: string }[]>`
      select account_id as "accountId", workspace_id as "workspaceId" from workspace_member join account using (account_id)
      where email_key = 'olga@example.com'`
    const careful = await addAccount(db.sql, 'careful@example.com')
    const { link } = await sendInvitation(db.sql, silentMail(), olga!, { email: careful.email, role: 'member' })
    const { pathname, hash } = new URL(link!)
    await page.goto(pathname + hash)
    await page.getByText('It is for careful@example.com').waitFor()
    expect(await page.getByRole('button', { name: 'Join with this account' }).count()).toBe(0)
    await screenshots(page, 'invitation-of-another')

    const secret = await turnCodesOn(careful.sessionToken)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.getByRole('button', { name: 'Sign in and join' }).click()
    app.expected.push(/status of 401/)
    await page.getByLabel(/^E-mail address/).fill('careful@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel(/^Code/).waitFor()
    await page.getByLabel(/^E-mail address/).fill('olga@example.com')
    await page.getByLabel(/^Code/).waitFor({ state: 'detached' })
    await page.getByLabel(/^E-mail address/).fill('careful@example.com')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel(/^Code/).fill(new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Join with this account' }).click()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
  })

  it('get another link in the place of one that works no more', async () => {
    const page = await app.person()
    const session = await addOperatorOnce()
    app.expected.push(/status of 400/)
    await page.goto('/reset-password#token=used')
    await page.getByLabel(/^New password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This link was used, was replaced by a newer one, or has expired').waitFor()
    await page.getByRole('link', { name: 'Send me a new link' }).click()
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await app.signIn(page, session)
    await page.goto('/verify-email#token=used')
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await page.getByText('This link was used, was replaced by a newer one, or has expired').waitFor()
    await page.getByRole('link', { name: 'A new link is sent from your account' }).click()
    await page.getByRole('button', { name: 'Send a link', exact: true }).waitFor()
  })

  it('create their first workspace from a page that needs one', async () => {
    const page = await app.person()
    await addOperatorOnce()
    await app.signIn(page, (await addAccount(db.sql, 'alone@example.com')).sessionToken)
    await page.goto('/webhooks')
    await page.getByText('You are not in a workspace yet').waitFor()
    await page.getByRole('link', { name: 'Your workspaces' }).click()
    await page.getByRole('button', { name: 'Create a workspace' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Mine', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('open a link in the tab of the page that it leads to, which is not loaded again', async () => {
    const page = await app.person()
    await addOperatorOnce()
    const [olga] = await db.sql<{ accountId: string; workspaceId: string }[]>`
      select account_id as "accountId", workspace_id as "workspaceId" from workspace_member join account using (account_id)
      where email_key = 'olga@example.com'`
    await page.goto('/sign-up')
    await page.getByRole('heading', { name: 'By invitation' }).waitFor()
    await page.goto('/sign-up#token=mailed')
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    app.expected.push(/status of 400/)
    await page.goto('/invitation#token=replaced')
    await page.getByText('This invitation cannot be used').waitFor()
    const { link } = await sendInvitation(db.sql, silentMail(), olga!, { email: 'late@example.com', role: 'member' })
    const { pathname, hash } = new URL(link!)
    await page.goto(pathname + hash)
    await page.getByRole('heading', { name: 'Join First workspace' }).waitFor()
  })

  it('choose light or dark, which this browser keeps and shows before anything else is loaded', async () => {
    const page = await app.person()
    await app.signIn(page, await addOperatorOnce())
    await page.emulateMedia({ colorScheme: 'dark' })
    const shown = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    await page.goto('/keys')
    await page.getByRole('radio', { name: 'System' }).waitFor({ state: 'attached' })
    expect(await shown()).toBe('dark')
    const keyboard = byKeyboard(page)
    await keyboard.reach(page.getByRole('radio', { name: 'System' }))
    await keyboard.reach(page.getByRole('radio', { name: 'Light' }), 'ArrowRight')
    await page.locator('html[data-mantine-color-scheme=light]').waitFor()
    const load = await hold(page, '**/assets/*.js')
    // The browser calls it before each frame that it draws, and draws none before the styles are there.
    await page.addInitScript(`
      drawn = []
      const draw = () => {
        drawn.push(getComputedStyle(document.documentElement).colorScheme)
        requestAnimationFrame(draw)
      }
      requestAnimationFrame(draw)`)
    await page.reload({ waitUntil: 'commit' })
    await page.locator('#app').waitFor({ state: 'attached' })
    await expect.poll(() => page.evaluate('globalThis.drawn.length')).toBeGreaterThan(1)
    expect(await page.evaluate('[...new Set(drawn)]')).toEqual(['light'])
    await load()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await keyboard.keys('Control+k')
    await page.getByPlaceholder(/^Find a page/).waitFor()
    await page.keyboard.type('dark')
    await page.getByRole('button', { name: 'Colours: dark' }).waitFor()
    await keyboard.keys('Enter')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await inspect(page, 'keys-dark')
  })

  it('add a passkey and sign in with it; removed, it signs no one in', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    const device = await addDevice(page)
    await page.addInitScript(COUNT_ASKED)
    await app.signIn(page, await addOperatorOnce())
    await page.goto('/account')
    await keyboard.press(page.getByRole('button', { name: 'Add a passkey' }))
    expect(await page.getByLabel(/^Name/).inputValue()).toMatch(/ on Linux$/)
    await keyboard.keys('Control+a')
    await keyboard.type(page.getByLabel(/^Name/), `Laptop ${HOSTILE}`)
    await inspect(page, 'account-passkey-add')
    await keyboard.press(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('row', { name: /^Laptop/ }).waitFor()
    await page.getByText('You have 1 of at most 20').waitFor()
    await screenshots(page, 'account-passkeys')

    const signOut = () =>
      keyboard.choose(
        page.getByRole('button', { name: 'Account of Olga' }),
        page.getByRole('menuitem', { name: 'Sign out' }),
      )
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    /** Signs out, and takes the device away until the address field has asked for it. */
    const signOutAlone = async () => {
      await device.leave()
      await page.evaluate('asked = 0')
      await signOut()
      await expect.poll(() => page.evaluate('asked')).toBe(1)
      await button.waitFor()
    }
    await signOutAlone()
    await screenshots(page, 'sign-in-passkey')
    await device.comeBack()
    await keyboard.press(button)
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await signOut()
    // This device chooses what the address field suggests as soon as it is asked.
    const signIns = () => db.sql`select from audit_entry where action = 'signed_in' and detail ? 'passkey'`
    await expect.poll(signIns, { timeout: 20_000 }).toHaveLength(2)
    await page.getByRole('heading', { name: 'What changed' }).waitFor()

    await page.goto('/account')
    await keyboard.choose(
      page.getByRole('button', { name: /^Actions for Laptop/ }),
      page.getByRole('menuitem', { name: 'Remove' }),
    )
    await keyboard.type(page.getByRole('dialog').getByLabel(/^Your password/), PASSWORD)
    await screenshots(page, 'account-passkey-remove')
    await keyboard.press(page.getByRole('button', { name: 'Remove', exact: true }))
    await page.getByRole('row', { name: /^Laptop/ }).waitFor({ state: 'detached' })
    await signOutAlone()
    await device.comeBack()
    app.expected.push(/status of 401/)
    await keyboard.press(button)
    await page.getByText('This passkey was not accepted.').waitFor()
  })

  it('get the app at the start, where programs get JSON, and at the address of every page', async () => {
    expect(await (await fetch(app.url)).json()).toMatchObject({ service: 'pricetape' })
    const router = await readFile(join(import.meta.dirname, '../../../src/web/router.tsx'), 'utf8')
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
