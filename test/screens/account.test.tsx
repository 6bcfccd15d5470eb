import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { newToken } from '../../src/accounts/new-token.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import type { Api } from '../../src/api/route.ts'
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
it('an invitation', async () => {
  const host = await addAccount(db.sql, 'host@example.com')
  const { workspaceId } = await foundWorkspace(db.sql, host, { name: 'Acme' })
  const acting = { accountId: host.accountId, workspaceId }
  const invited = { email: 'nora@example.com', role: 'admin' as const }
  const { link } = await sendInvitation(db.sql, silentMail(), acting, invited)
  const path = `/invitation#token=${tokenOf(link!)}`
  await checkScreen('invitation', () => openScreen({ server }, path), {})
  const parts = await walk(await openScreen({ server, session }, path), ['Join with this account'])
  parts.push(...(await walk(await openScreen({ server, session }, path), [])))
  await compareWithGolden('invitation-of-a-user', parts)
})
