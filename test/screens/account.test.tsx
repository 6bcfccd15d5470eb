import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import { newToken } from '../../src/accounts/new-token.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import type { Api } from '../../src/api/route.ts'
import { addAccount, PASSWORD } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { checkScreen } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let session: string
beforeAll(async () => {
  server = await appServer(db.sql)
  session = (await addAccount(db.sql, 'nora@example.com')).sessionToken
})
afterAll(() => server.close())

it('one’s own account', async () => {
  await checkScreen('account', () => openScreen({ server, session }, '/account'), {
    'Set up': [[{ field: /^Your password/, text: `${PASSWORD}.` }, 'Continue']],
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
  await checkScreen('invitation', () => openScreen({ server }, '/invitation'), {})
})
