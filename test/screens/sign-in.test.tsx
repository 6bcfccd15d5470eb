import './light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFirstAccountLink } from '../../src/accounts/users/links/create-first-account-link.ts'
import type { Api } from '../../src/api/route.ts'
import { visitorQuery } from '../../src/web/api/account.ts'
import { ApiError } from '../../src/web/api/connection/client.ts'
import { keyOf } from '../../src/web/api/connection/drafts.ts'
import { forgetSession } from '../../src/web/api/connection/forget-session.ts'
import { takeAnswer } from '../../src/web/api/connection/provider-visit.ts'
import { createQueryClient } from '../../src/web/api/connection/query-client.ts'
import { sessionEnded } from '../../src/web/api/connection/session-ended.ts'
import { unsent } from '../../src/web/api/connection/unsent.ts'
import { addAccount, PASSWORD } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { identityProvider, type TestProvider } from '../support/servers/identity-provider.ts'
import { compareWithGolden, walkOn } from './check-screen.ts'
import { openScreen, type Screen, useScreens } from './screen.tsx'

const db = testDatabase()
const { fetch } = globalThis
useScreens()
let provider: TestProvider
let server: Api
let own: Awaited<ReturnType<typeof addAccount>>
beforeAll(async () => {
  provider = await identityProvider()
  server = await appServer(db.sql, provider.settings())
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(async () => {
  await db.sql`truncate account, workspace cascade`
  own = await addAccount(db.sql, 'nora@example.com')
})
afterEach(() => {
  sessionEnded.signedIn()
  sessionStorage.clear()
})
/** What the page knows that was opened last with `known`. */
let client: QueryClient
const known = (queryClient: QueryClient): void => {
  client = queryClient
}
const draft = () => sessionStorage.getItem(keyOf('typed'))
const open = (path: string, session?: string): Promise<Screen> => openScreen({ server, session }, path)
/** Opens the account on a page that keeps what its owner typed. */
async function openAccount(): Promise<Screen> {
  const screen = await open('/account', own.sessionToken)
  sessionStorage.setItem(keyOf('typed'), 'by her')
  return screen
}
const signedIn = (email = own.email, password = PASSWORD) => [
  { field: /^E-mail address/, text: email },
  { field: /^Password/, text: password },
  'Sign in',
]
const signOut = ['Account of nora', 'Sign out']
const ownPassword = { field: /^Your password/, text: PASSWORD }
const refusal = (status: number, code: string) => new ApiError(status, { code, message: 'Ended.' } as never)
const endSession = () => db.sql`update session set expires_at = now() - interval '1 h'`

/** Notices every title that a page shows, for however short a time. */
function titles(): { seen: string[]; end: () => void } {
  const seen: string[] = []
  const look = () => {
    const title = document.querySelector('h1')?.textContent ?? document.querySelector('[role="status"]')?.ariaLabel
    if (title && seen.at(-1) !== title) seen.push(title)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  return { seen, end: () => observer.disconnect() }
}

describe('signing in', () => {
  it('leads to the page that was asked for, in the place of the sign-in, and forgets what a visitor knew', async () => {
    const screen = await openScreen({ server, known }, '/forgot-password')
    await screen.go('/sign-in', known)
    client.setQueryData(['known'], 'to a visitor')
    sessionEnded.notice(refusal(401, 'unauthorized'))
    const parts = await walkOn(screen, [...signedIn(own.email, 'wrong'), ...signedIn()])
    expect(sessionEnded.is()).toBe(false)
    expect(client.getQueryData(['known'])).toBeUndefined()
    parts.push(screen.frame())
    await screen.back()
    parts.push(screen.address())
    await compareWithGolden('password', parts)
  })

  it('makes the first account, whose page is not that of a later visitor meanwhile', async () => {
    await db.sql`truncate account, workspace cascade`
    const path = `/first-account#token=${await createFirstAccountLink(db.sql)}`
    const { seen, end } = titles()
    const screen = await openScreen({ server, known }, path)
    client.setQueryData(['known'], 'to a visitor')
    await screen.type(/^Your name/, 'Olga')
    await screen.type(/^E-mail address/, 'olga@example.com')
    await screen.type(/^Password/, PASSWORD)
    // What is read again meanwhile ends nothing.
    client.setQueryData(visitorQuery.queryKey, (read) => read && { ...read, hasAccounts: true })
    await screen.press('Create the account')
    await screen.back()
    expect(screen.address()).toBe('/')
    expect(screen.frame()).toContain('Account of Olga')
    expect(client.getQueryData(['known'])).toBeUndefined()
    expect(seen).toEqual(['Create the first account', 'What changed'])
    screen.close()
    await open(path)
    end()
    expect(seen.slice(2)).toEqual(['The first account exists already'])
  })
})

describe('an identity provider', () => {
  /** Signs in there, as the address says that the page was left for. */
  async function comeBack(screen: Screen, effects: string[]): Promise<void> {
    const [, url] = /^leaves for (.*)/.exec(effects.at(-1)!)!
    const { headers } = await fetch(url!, { redirect: 'manual' })
    history.replaceState(null, '', `/sign-in/callback${new URL(headers.get('location')!).search}`)
    const { length } = history
    takeAnswer()
    expect([location.search, history.length]).toEqual(['', length])
    await screen.go('/sign-in/callback', () => {})
  }
  it('is linked to an account, signs in, and is left when signing out', async () => {
    const screen = await openAccount()
    await screen.press('Link Acme login')
    await screen.press('Continue')
    expect(JSON.parse(sessionStorage.getItem('pricetape-provider-visit')!)).toEqual({ links: true, next: '/account' })
    sessionEnded.notice(refusal(401, 'unauthorized'))
    await comeBack(screen, await screen.effects())
    expect(sessionEnded.is()).toBe(false)
    expect(await screen.effects()).toEqual(['says Your account is linked.'])
    expect(screen.address()).toBe('/account')
    expect(screen.text()).toContain('ada@example.com')
    await screen.back()
    expect(screen.address()).toBe('/account')

    await walkOn(screen, signOut)
    expect(screen.address()).toBe('/sign-in')
    expect(await screen.effects()).toEqual([])
    await screen.go('/sign-in?next=/account/watches#kept', () => {})
    await screen.press('Sign in with Acme login')
    expect(JSON.parse(sessionStorage.getItem('pricetape-provider-visit')!)).toEqual({
      links: false,
      next: '/account/watches#kept',
    })
    await comeBack(screen, await screen.effects())
    expect(screen.address()).toBe('/account/watches#kept')
    expect(screen.frame()).toContain('Account of nora')
    expect(await screen.effects()).toEqual([])

    sessionStorage.setItem(keyOf('typed'), 'by her')
    await screen.press('Account of nora')
    const left = new Promise<string>((resolve) => {
      location.assign = (url) => {
        // The page is gone: nothing is shown in its place.
        screen.close()
        resolve(String(url))
      }
    })
    const items = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    items.find((one) => one.textContent === 'Sign out')!.click()
    expect(await left).toMatch(`${provider.issuer}/logout`)
    expect(draft()).toBeNull()
  })
})

describe('signing out', () => {
  it.each([
    ['from the menu of the account', signOut],
    ['everywhere', ['Sign out everywhere', 'Sign out everywhere']],
    ['for good', ['Delete my account', ownPassword, 'Delete my account']],
  ])('%s leads to the sign-in and forgets what was typed', async (name, steps) => {
    // Without another account, the first one would have to be created.
    await addAccount(db.sql, 'ann@example.com')
    const screen = await openAccount()
    const parts = await walkOn(screen, steps)
    expect(draft()).toBeNull()
    sessionEnded.notice(refusal(401, 'unauthorized'))
    expect(sessionEnded.is()).toBe(true)
    await compareWithGolden(`left-${name.split(' ').at(-1)}`, parts)
  })

  it('does the same where the session has ended before', async () => {
    const screen = await openAccount()
    await endSession()
    for (const step of signOut) await screen.press(step)
    expect(screen.address()).toBe('/sign-in')
    expect(await screen.effects()).toEqual([])
    expect(draft()).toBeNull()
  })

  it('says why it did not happen, and keeps the page', async () => {
    const screen = await openAccount()
    const { fetch: answered } = globalThis
    const error = { code: 'internal', message: 'The service failed.' }
    globalThis.fetch = async () => new Response(JSON.stringify({ error }), { status: 500 })
    for (const step of signOut) await screen.press(step)
    globalThis.fetch = answered
    expect(await screen.effects()).toEqual(['says Not signed out: The service failed.'])
    const end = unsent.keep({ count: () => 1, sendAll: async () => 0, drop: () => {} })
    for (const step of signOut) await screen.press(step)
    end()
    expect(await screen.effects()).toEqual([expect.stringContaining('says Not signed out: 1 decision was not sent.')])
    expect(screen.address()).toBe('/account')
    expect(draft()).toBe('by her')
  })
})

it('nothing stays of who has signed out, but that there is a service', async () => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(visitorQuery.queryKey, { signUp: 'open' } as never)
  queryClient.setQueryData(['keys', 'w1'], ['one'])
  queryClient.getMutationCache().build(queryClient, { mutationKey: ['rename'] })
  // The page of the test before may have written once more after its end.
  sessionStorage.clear()
  sessionStorage.setItem(keyOf('typed'), 'by her')
  sessionStorage.setItem('other', 'kept')
  sessionEnded.notice(refusal(401, 'unauthorized'))
  forgetSession(queryClient)
  expect(
    queryClient
      .getQueryCache()
      .getAll()
      .map(({ queryKey, state }) => [queryKey, state.data]),
  ).toEqual([[visitorQuery.queryKey, undefined]])
  expect(queryClient.getMutationCache().getAll()).toEqual([])
  expect(Object.keys(sessionStorage)).toEqual(['other'])
  expect(sessionEnded.is()).toBe(false)
})

describe('a session that ended', () => {
  const keeping = (count: number) => {
    const done: string[] = []
    const end = unsent.keep({ count: () => count, sendAll: async () => 0, drop: () => void done.push('dropped') })
    return { done, end }
  }
  /** Opens a page on which something is changed after the session ended. */
  async function ended(): Promise<Screen> {
    const screen = await openAccount()
    await endSession()
    await screen.type(/^Your name/, 'Nora')
    await screen.press('Save')
    screen.changes()
    return screen
  }
  it('goes on when the same person signs in again, whose page is read again', async () => {
    const { done, end } = keeping(1)
    const screen = await ended()
    const parts = [screen.text().split('---').at(-1)!]
    screen.reads()
    parts.push(...(await walkOn(screen, signedIn())))
    end()
    expect(done).toEqual([])
    expect(screen.reads()).toEqual(expect.arrayContaining(['/v1/sessions', '/v1/account/passkeys']))
    sessionEnded.notice(refusal(401, 'unauthorized'))
    await screen.until('Your session has ended')
    parts.push(...(await walkOn(screen, signedIn())).slice(-1))
    await compareWithGolden('again', parts)
  })

  it('ends for the page too when someone else signs in, who sends nothing of what was decided', async () => {
    await addAccount(db.sql, 'other@example.com')
    const { done, end } = keeping(2)
    const screen = await ended()
    expect(screen.text()).toContain('2 decisions of yours are sent when')
    const parts = await walkOn(screen, signedIn('other@example.com'))
    end()
    expect(done).toEqual(['dropped'])
    expect(parts.at(-1)).toContain('loads the page again')
    expect(parts.at(-1)).not.toContain('says')
  })

  it('leaves nothing that was typed to whoever opens the page next', async () => {
    const other = await addAccount(db.sql, 'other@example.com')
    const screen = await openAccount()
    screen.close()
    await open('/account', own.sessionToken)
    expect(draft()).toBe('by her')
    await open('/account', other.sessionToken)
    expect(draft()).toBeNull()
  })

  it.each(['/account', '/prices'])('is what someone else leaves who signs in in another tab: %s', async (path) => {
    const other = await addAccount(db.sql, 'other@example.com')
    const screen = await openScreen({ server, session: own.sessionToken, known }, path)
    sessionStorage.setItem(keyOf('typed'), 'by her')
    await db.sql`update session set account_id = ${other.accountId} where account_id = ${own.accountId}`
    await client.invalidateQueries()
    await screen.until('Your session has ended')
    expect(screen.text()).not.toContain('other@example.com')
    expect(draft()).toBe('by her')
  })

  it.each(['/account', '/prices', '/docs'])('leaves %s as it is, and asks to sign in again', async (path) => {
    const screen = await openScreen({ server, session: own.sessionToken, known }, path)
    await screen.press('Account of nora')
    await screen.escape()
    await endSession()
    await client.invalidateQueries()
    await screen.until('Your session has ended')
    expect(screen.frame()).toContain('Account of nora')
    await walkOn(screen, signedIn())
    expect(screen.address()).toMatch(path)
    expect(screen.text()).not.toContain('Your session has ended')
  })

  it('goes on when the person has signed in with the provider in another tab', async () => {
    const screen = await ended()
    const look = async () => {
      window.dispatchEvent(new Event('focus'))
      await screen.type(/^Password/, '')
    }
    await look()
    expect(await screen.effects()).toEqual([])
    expect(sessionEnded.is()).toBe(true)
    await db.sql`update session set expires_at = now() + interval '1 h'`
    await look()
    expect(await screen.effects()).toEqual([
      'says You are signed in again. Your last action was not carried out: send it again.',
    ])
    expect(sessionEnded.is()).toBe(false)
  })
})

describe('another address', () => {
  it('is asked for, and said where its link goes', async () => {
    const steps = [{ field: /^New e-mail/, text: 'new@example.com' }, ownPassword, 'Send confirmation link']
    await compareWithGolden('address', await walkOn(await openAccount(), steps))
  })
})
