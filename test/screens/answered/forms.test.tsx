import '../light-dom.ts'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { knownScreens, refused, withoutLog } from '../known/known.ts'

const { openAnswered, openKnown } = knownScreens()
afterEach(() => {
  location.hash = ''
})

it('a link that is not sent again is said, beside what was said of the first', async () => {
  const page = await openAnswered('/forgot-password', {
    'POST /v1/password-reset': [{}, refused(429, 'rate_limited', 'Wait a minute.')],
  })
  await page.type(/^E-mail address/, 'olga@example.com')
  await page.press('Send the link')
  expect(page.text()).toContain('Check your inbox')
  expect(page.text()).not.toContain('Wait a minute.')
  await page.press('Send it again')
  expect(page.text()).toContain('Check your inbox')
  expect(page.text()).toContain('Wait a minute.')
})

it('a link that is pasted into the address is used in place of the one before', async () => {
  const password = 'a long new password'
  const reset = await openAnswered('/reset-password#token=first', {})
  await reset.go('/reset-password#token=second', () => {})
  await reset.type(/password/i, password)
  await reset.press('Change the password')
  expect(reset.changes()).toEqual([`POST /v1/password-reset/confirm {"token":"second","password":"${password}"}`])
  const signUp = await openAnswered('/sign-up#token=first', {})
  await signUp.go('/sign-up#token=second', () => {})
  await signUp.type(/^Your name/, 'Olga')
  await signUp.type(/^Password/, password)
  await signUp.press('Create the account')
  expect(signUp.changes()).toEqual([expect.stringContaining('"token":"second"')])
})

it('a form takes the focus when its page is opened, but from no one who types elsewhere', async () => {
  const elsewhere = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => elsewhere.remove())
  const focus = async () => {
    const page = await openKnown('/forgot-password')
    const focused = page.focused()
    page.close()
    return focused
  }
  expect(await focus()).toContain('E-mail address')
  elsewhere.setAttribute('aria-label', 'Elsewhere')
  elsewhere.focus()
  expect(await focus()).toContain('Elsewhere')
})

it.each([
  ['/', 'What changed'],
  ['/prices', 'Prices'],
  ['/prices/acme/gpt', 'Prices'],
  ['/documents/acme/terms', 'Documents'],
  ['/webhooks/h1?workspace=w1', 'Webhooks'],
  ['/operator/review', 'Review'],
  ['/docs', 'API reference'],
])('%s is in %s of the navigation', async (path, name) => {
  withoutLog()
  await openAnswered(path, {})
  const current = [...document.querySelectorAll('nav[aria-label="Pages"] [aria-current="page"]')]
  expect(current.map(({ textContent }) => textContent)).toEqual([name])
})

it('a period of the audit log does not end before it begins', async () => {
  const page = await openAnswered('/operator/audit', {
    'GET /v1/operator/audit': [{ body: { entries: [], next: null } }],
  })
  await page.press('Download all')
  await page.type('From', 'November 10, 2026')
  expect(page.text()).toContain('since=2026-11-10')
  await page.type('To, that day included', 'November 9, 2026')
  expect(page.text()).not.toContain('until=')
  await page.type('To, that day included', 'November 10, 2026')
  expect(page.text()).toContain('until=2026-11-11T00%3A00%3A00.000Z')
})
