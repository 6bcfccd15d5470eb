import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { newToken } from '../../src/accounts/new-token.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import type { Api } from '../../src/api/route.ts'
import { keepVisit, takeAnswer } from '../../src/web/api/connection/provider-visit.ts'
import { addAccount, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { checkScreen, compareWithGolden, walk } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let session: string
beforeAll(async () => {
  const issuer = 'http://127.0.0.1:9'
  server = await appServer(db.sql, {
    PRICETAPE_OIDC_ISSUER: issuer,
    PRICETAPE_OIDC_CLIENT_ID: 'pricetape',
    PRICETAPE_OIDC_CLIENT_SECRET: 'secret',
    PRICETAPE_OIDC_NAME: 'Acme login',
  })
  const nora = await addAccount(db.sql, 'nora@example.com')
  session = nora.sessionToken
  await db.sql`
    insert into account_identity (account_id, issuer, subject, email, created_at)
    values (${nora.accountId}, ${issuer}, 'nora', 'nora@acme.example', now())`
})
afterAll(() => server.close())

it('one’s own account', async () => {
  await checkScreen('account', () => openScreen({ server, session }, '/account'), {
    'Set up': [[{ field: /^Your password/, text: `${PASSWORD}.` }, 'Continue']],
    Unlink: [[{ field: /^Your password/, text: PASSWORD }, 'Unlink']],
  })
})
it('a name and an address that their owner changes', async () => {
  const { sessionToken } = await addAccount(db.sql, 'renamed@example.com')
  const changing = await openScreen({ server, session: sessionToken }, '/account')
  const steps = [
    ...[{ field: /^Your name/, text: 'Nora B.' }, 'Save', { field: /^New e-mail/, text: 'other@example.com' }],
    ...[{ field: /^Your password/, text: PASSWORD }, 'Send confirmation link'],
  ]
  await compareWithGolden('renamed', (await walk(changing, steps)).slice(1))
})
it('a password that its owner changes', async () => {
  const { sessionToken } = await addAccount(db.sql, 'changing@example.com')
  const changing = await openScreen({ server, session: sessionToken }, '/account')
  const steps = [
    { field: /^Current password/, text: PASSWORD },
    { field: /^New password/, text: `${PASSWORD} again` },
    'Change the password',
  ]
  await compareWithGolden('changed-password', (await walk(changing, steps)).slice(1))
})
it('a new account', async () => {
  await checkScreen('sign-up', () => openScreen({ server }, '/sign-up'), {})
})
it('the first account', async () => {
  await checkScreen('first-account', () => openScreen({ server }, '/first-account'), {})
})
it('a forgotten password', async () => {
  await checkScreen('forgot-password', () => openScreen({ server }, '/forgot-password'), {})
})
it('an address that is confirmed', async () => {
  const token = newToken()
  await saveLink(db.sql, { kind: 'sign_up', email: 'new@example.com', token })
  await checkScreen('verify-email', () => openScreen({ server }, `/verify-email#token=${token}`), {})
})
it('a new password', async () => {
  const { accountId, email } = await addAccount(db.sql, 'forgetful@example.com')
  const token = newToken()
  await saveLink(db.sql, { kind: 'reset_password', email, accountId, token })
  const chosen = [{ field: /password/i, text: `${PASSWORD} again` }, 'Change the password']
  const parts = await walk(await openScreen({ server }, '/reset-password#token=unknown'), chosen)
  parts.push(...(await walk(await openScreen({ server }, `/reset-password#token=${token}`), chosen)))
  await compareWithGolden('reset-password', parts)
})
it('the page that an identity provider leads back to', async () => {
  const parts: string[] = []
  for (const [search, links] of [
    ['', false],
    ['?code=1&state=2', false],
    ['?code=1&state=2', true],
  ] as const) {
    history.replaceState(null, '', `/sign-in/callback${search}`)
    takeAnswer()
    keepVisit({ links, next: '/keys' })
    const screen = await openScreen({ server, ...(links && { session }) }, '/sign-in/callback')
    parts.push(`== ${search} ${links}`, `opens ${screen.address()}`, ...screen.changes(), screen.text())
    screen.close()
  }
  await compareWithGolden('callback', parts)
})
it('an invitation', async () => {
  const host = await addAccount(db.sql, 'host@example.com')
  const { workspaceId } = await foundWorkspace(db.sql, host, { name: 'Acme' })
  const acting = { accountId: host.accountId, workspaceId }
  const invited = { email: 'Nora@Example.com', role: 'admin' as const }
  const { link } = await sendInvitation(db.sql, silentMail(), acting, invited)
  const path = `/invitation#token=${tokenOf(link!)}`
  await checkScreen('invitation', () => openScreen({ server }, path), {})
  const parts = await walk(await openScreen({ server, session }, path), ['Join with this account'])
  parts.push(...(await walk(await openScreen({ server, session }, path), [])))
  await compareWithGolden('invitation-of-a-user', parts)
})
