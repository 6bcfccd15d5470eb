import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { afterEach, it } from 'vitest'
import { sessionsQuery, totpQuery } from '../../../src/web/api/account.ts'
import { sessionEnded } from '../../../src/web/api/connection/session-ended.ts'
import { identitiesQuery } from '../../../src/web/api/identities.ts'
import { passkeysQuery } from '../../../src/web/api/passkeys.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { daysAgo, hoursAgo, knownScreens, session } from './known.ts'

const { openKnown, shownOf } = knownScreens()
// What signs out and is not answered leaves for good.
afterEach(() => void sessionEnded.signedIn())

const passkey = (name: string, synced: boolean) => ({
  passkeyId: name,
  name,
  synced,
  createdAt: daysAgo(3),
  lastUsedAt: synced ? hoursAgo(2) : null,
})
const identity = (email: string | null) => ({
  identityId: `${email}`,
  issuer: 'https://login.example/',
  email,
  createdAt: daysAgo(3),
  lastUsedAt: null,
})
type Fixture = { passkeys?: object; identities?: object; totp?: object; unconfirmed?: boolean }
const login = { name: 'Acme login', only: false }

const account =
  ({ passkeys = {}, identities = {}, totp = { offered: true, on: null }, unconfirmed = false }: Fixture) =>
  () => {
    const who = unconfirmed ? { ...session, account: { ...session.account, emailVerifiedAt: null } } : session
    const known = (queryClient: QueryClient) => {
      const own = {
        sessionId: 's1',
        createdAt: daysAgo(3),
        lastSeenAt: hoursAgo(1),
        expiresAt: daysAgo(-3),
        address: '192.0.2.1',
        userAgent: 'curl/8',
      }
      queryClient.setQueryData(sessionsQuery.queryKey, {
        sessions: [
          { ...own, current: true },
          { ...own, sessionId: 's2', current: false, userAgent: 'Firefox/1 Linux' },
        ],
      })
      queryClient.setQueryData(totpQuery.queryKey, totp as never)
      queryClient.setQueryData(passkeysQuery.queryKey, {
        offered: 'yes',
        host: 'localhost',
        asksForPassword: false,
        passkeys: [],
        ...passkeys,
      } as never)
      queryClient.setQueryData(identitiesQuery.queryKey, {
        provider: null,
        hasPassword: true,
        mayUnlink: false,
        asksForPassword: true,
        identities: [],
        ...identities,
      } as never)
    }
    return openKnown('/account', known, who)
  }

it('one’s own account, in each of its states', async () => {
  const two = { passkeys: [passkey('laptop', true), passkey('key', false)] }
  const shown = await shownOf({
    'in a browser without passkeys': account({ passkeys: two }),
    'of someone who has nothing': account({
      unconfirmed: true,
      passkeys: { host: null, offered: 'needs_https' },
      totp: { offered: false, on: null },
    }),
    'with passkeys that are turned off': account({ passkeys: { offered: 'turned_off', host: null, ...two } }),
    'without passkeys, which are turned off': account({ passkeys: { offered: 'turned_off', host: null } }),
    'with passkeys that work elsewhere': account({ passkeys: { host: 'prices.example', ...two } }),
    'with codes, and one recovery code': account({
      totp: { offered: false, on: { since: daysAgo(3), recoveryCodes: 1 } },
    }),
    'with codes alone': account({
      totp: { offered: true, on: { since: daysAgo(3), recoveryCodes: 0 } },
      identities: { provider: login },
    }),
    'linked as the only way to sign in': account({ identities: { provider: login, identities: [identity(null)] } }),
    'that only the provider knows': account({
      identities: { provider: { ...login, only: true }, mayUnlink: true, identities: [identity('a@b.example')] },
    }),
    'linked to a provider that is gone': account({ identities: { identities: [identity(null)] } }),
  })
  await compareWithGolden('account-states', shown)
})

it('what is done with passkeys and a link to the identity provider', async () => {
  Object.assign(globalThis, { PublicKeyCredential: class {} })
  const two = { passkeys: [passkey('laptop', true), passkey('key', false)] }
  const parts: string[] = []
  for (const [given, steps] of [
    [{ passkeys: two }, ['Add a passkey', 'Cancel']],
    [{ passkeys: { ...two, asksForPassword: true } }, ['Add a passkey']],
    [{ passkeys: { passkeys: Array.from({ length: 20 }, (_, n) => passkey(`${n}`, true)) } }, []],
    [{ passkeys: two }, ['Actions for key', 'Rename', { field: /^Name/, text: 'Other' }, 'Save']],
    [{ passkeys: two }, ['Actions for key', 'Remove', { field: /^Your password/, text: 'secret' }, 'Remove']],
    [{ identities: { provider: login } }, ['Link Acme login', { field: /^Your password/, text: 'secret' }, 'Continue']],
    [{ identities: { provider: login, asksForPassword: false } }, ['Link Acme login', 'Continue']],
    [
      { totp: { offered: true, on: { since: daysAgo(3), recoveryCodes: 2 } } },
      ['Turn off', { field: /^Your password/, text: 'secret' }, { field: /code/i, text: '123456' }, 'Turn off'],
    ],
    [{}, ['End this session', 'End the session']],
    [{}, ['Sign out everywhere', 'Sign out everywhere']],
    [{ unconfirmed: true }, ['Send a link']],
  ] as [Fixture, Parameters<typeof walk>[1]][])
    parts.push(...(await walk(await account(given)(), steps)).slice(steps.length > 0 ? 1 : 0))
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  await compareWithGolden('account-steps', parts)
})
