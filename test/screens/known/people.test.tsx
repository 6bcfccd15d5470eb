import '../light-dom.ts'
import { fireEvent, waitFor } from '@testing-library/dom'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { accountQuery, sessionsQuery, totpQuery, visitorQuery } from '../../../src/web/api/account.ts'
import { auditQuery } from '../../../src/web/api/audit.ts'
import { ApiError } from '../../../src/web/api/connection/client.ts'
import { sessionEnded } from '../../../src/web/api/connection/session-ended.ts'
import { documentsQuery } from '../../../src/web/api/documents.ts'
import { passkeysQuery } from '../../../src/web/api/passkeys.ts'
import { type Watch, watchesQuery } from '../../../src/web/api/watches.ts'
import { choicesQuery } from '../../../src/web/api/webhooks.ts'
import { invitationsQuery, keysQuery, membersQuery } from '../../../src/web/api/workspace.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { type Knowledge, openScreen } from '../screen.tsx'
import { dayIn, daysAgo, hoursAgo, knownScreens, session, visit } from './known.ts'

const { openKnown, shownOf } = knownScreens()
// What signs out and is not answered leaves for good.
afterEach(() => void sessionEnded.signedIn())

const noEntries = { pages: [{ entries: [], next: null }], pageParams: [undefined] }
const member = { ...session, workspaces: [{ ...session.workspaces[0]!, role: 'member' as const }] }
const homeless = { ...session, workspaces: [] }
const people = [
  { accountId: 'a1', name: 'Olga', email: 'olga@example.com', role: 'admin' as const, joinedAt: daysAgo(3) },
  { accountId: 'a2', name: 'Nora', email: 'nora@example.com', role: 'admin' as const, joinedAt: daysAgo(2) },
  { accountId: 'a3', name: 'Ivan', email: 'ivan@example.com', role: 'member' as const, joinedAt: daysAgo(1) },
]
const members =
  (list: typeof people, who = session) =>
  () =>
    openKnown(
      '/members?workspace=w1',
      (queryClient) => {
        queryClient.setQueryData(membersQuery('w1').queryKey, { members: list })
        queryClient.setQueryData(invitationsQuery('w1').queryKey, { invitations: [] })
        queryClient.setQueryData(auditQuery({ workspace: 'w1' }, false).queryKey, noEntries)
      },
      who,
    )
const key = (name: string, more: object = {}) => ({
  keyId: name,
  name,
  lastCharacters: 'abcd',
  createdAt: daysAgo(3),
  lastUsedAt: null,
  expiresAt: null,
  networks: [],
  ...more,
})
const keys = (list: ReturnType<typeof key>[], most: number) => () =>
  openKnown('/keys?workspace=w1', (queryClient) =>
    queryClient.setQueryData(keysQuery('w1').queryKey, { keys: list, most }),
  )
const KEYS = [
  key('old', { expiresAt: hoursAgo(1), lastUsedAt: hoursAgo(2), networks: ['203.0.113.0/24'] }),
  key('new', { expiresAt: hoursAgo(-48), networks: ['203.0.113.0/24', '2001:db8::/32'] }),
]

it('members, keys and workspaces, as those see them who may do less', async () => {
  const ten = {
    ...session,
    workspaces: Array.from({ length: 3 }, (_, n) => ({
      ...session.workspaces[1]!,
      workspaceId: `w${n}`,
      name: `W ${n}`,
    })),
  }
  const shown = await shownOf({
    'members, for one who is none of the admins': members(people, member),
    'members, one of whom is admin': members(people.filter(({ name }) => name !== 'Nora')),
    keys: keys(KEYS, 3),
    'as many keys as there may be': keys(KEYS, 2),
    'keys of someone without a workspace': () => openKnown('/keys', undefined, homeless),
    'keys of a workspace that one is not in': () => openKnown('/keys?workspace=w9'),
    'two workspaces': () => openKnown('/workspaces'),
    'as many workspaces as there may be': () => openKnown('/workspaces', undefined, ten),
    'an instant to come': () => openKnown(`/members?workspace=w1&asOf=${dayIn(30)}T00:00:00Z`, undefined, member),
  })
  const steps: [() => ReturnType<typeof openKnown>, string[]][] = [
    [members(people), ['Actions for Ivan', 'Change role to admin']],
    [members(people), ['Actions for Nora', 'Change role to member']],
    [members(people, member), ['Actions for Olga', 'Leave the workspace', 'Leave']],
    [members(people.filter(({ name }) => name !== 'Nora')), ['Actions for Olga']],
  ]
  for (const [open, pressed] of steps) shown.push(...(await walk(await open(), pressed)).slice(1))
  await compareWithGolden('workspace', shown)
})

const watch = (n: number, more: Partial<Watch> = {}): Watch => ({
  ...{
    watchId: `w${n}`,
    provider: 'acme',
    providerName: 'Acme',
    resource: null,
    document: null,
    title: null,
    group: null,
  },
  ...{ frequency: 'at_once', minChange: 0, pausedAt: null, createdAt: daysAgo(n), ...more },
})
const WATCHES = [
  watch(1),
  watch(2, { resource: 'gpt', minChange: 5, frequency: 'daily', pausedAt: hoursAgo(3), providerName: null }),
  watch(3, { document: 'terms', title: 'Terms', frequency: 'weekly' }),
  watch(4, { document: 'privacy' }),
  watch(5, { provider: null, providerName: null, group: { id: 'g1', name: 'GPT', deleted: false } }),
  watch(6, { provider: null, providerName: null, group: { id: 'g2', name: 'Gone', deleted: true } }),
]
const choices = {
  providers: [
    { provider: 'acme', name: 'Acme', creditPriced: false, documents: [{ document: 'terms', title: 'Terms' }] },
  ],
  groups: [{ id: 'g1', name: 'GPT', members: 2 }],
  privateEndpoints: false,
}
const watching =
  (path: string, list = WATCHES, mails: 'yes' | 'no_mail_server' | 'no_public_url' = 'yes', confirmed = true) =>
  () =>
    openKnown(
      `/account/${path}`,
      (queryClient) => {
        queryClient.setQueryData(watchesQuery.queryKey, { mails, watches: list })
        queryClient.setQueryData(choicesQuery.queryKey, choices as never)
      },
      confirmed ? session : { ...session, account: { ...session.account, emailVerifiedAt: null } },
    )

it('what is watched', async () => {
  const shown = await shownOf({
    all: watching('watches'),
    nothing: watching('watches', [], 'no_mail_server'),
    'without an address of the service': watching('watches', [], 'no_public_url'),
    'without a confirmed address': watching('watches', [], 'yes', false),
    'choosing nothing': watching('watch'),
    'a watch that is paused': watching('watch?provider=acme&resource=gpt'),
    'a provider': watching('watch?provider=acme', []),
    'a document that is watched': watching('watch?provider=acme&document=terms'),
    'a document': watching('watch?provider=acme&document=terms', [], 'no_mail_server'),
    'a group': watching('watch?group=g1', []),
    'a group that is gone': watching('watch?group=g9', []),
    'a model without a confirmed address': watching('watch?provider=acme&resource=new', [], 'yes', false),
  })
  shown.push(...(await walk(await watching('watch?provider=acme&resource=gpt')(), ['Save and resume'])).slice(1))
  shown.push(...(await walk(await watching('watch?group=g1', [])(), ['Watch'])).slice(1))
  for (const name of ['Acme', 'gpt at acme', 'Terms of Acme', 'GPT'])
    shown.push(...(await walk(await watching('watches')(), [`Actions for ${name}`, 'Edit'])).slice(1))
  await compareWithGolden('watches', shown)
})

it('the form of another watch begins anew', async () => {
  const other = 'watch?provider=acme&resource=other'
  const fresh = await watching(other)()
  const begins = fresh.text()
  fresh.close()
  const screen = await watching('watch?provider=acme&resource=gpt')()
  expect(screen.text()).not.toBe(begins)
  await screen.go(`/account/${other}`, () => {})
  expect(screen.text()).toBe(begins)
  screen.close()
})

const login = { name: 'Acme login', only: false }
const ownAccount: Knowledge = (queryClient) => {
  queryClient.setQueryData(sessionsQuery.queryKey, { sessions: [] })
  queryClient.setQueryData(totpQuery.queryKey, { offered: false, on: null } as never)
  queryClient.setQueryData(passkeysQuery.queryKey, { offered: 'turned_off', passkeys: [] } as never)
}
const visitor = (path: string) => () =>
  openScreen(
    {
      known: (queryClient) => {
        queryClient.setQueryData(visitorQuery.queryKey, { ...visit, session: null })
        queryClient.setQueryData(documentsQuery(undefined).queryKey, { documents: [] })
      },
    },
    path,
  )

it('what surrounds pages, and the ways in', async () => {
  const frames: string[] = []
  for (const [name, open] of Object.entries({
    'an operator': () => openKnown('/workspaces?workspace=w1'),
    'someone who operates nothing': () =>
      openKnown('/workspaces?workspace=w2', undefined, {
        ...session,
        account: { ...session.account, operator: false },
      }),
    'a visitor of public pages': visitor('/documents'),
  })) {
    const screen = await open()
    frames.push(`== ${name}\n${screen.frame()}`)
    screen.close()
  }
  frames.push(
    ...(
      await walk(await openKnown('/workspaces?workspace=w1', ownAccount), [
        'Workspace: First workspace',
        'Second',
        'Account of Olga',
        'Account and sessions',
      ])
    ).slice(1),
  )
  frames.push(
    ...(await walk(await openKnown('/workspaces?workspace=w1', ownAccount), ['Account of Olga', 'Sign out'])).slice(1),
  )
  await compareWithGolden('frame', frames)
})

it('the bar of pages, which covers the page on a narrow screen, is closed by each of its links', async () => {
  const screen = await openKnown('/workspaces?workspace=w1')
  const menu = () => document.querySelector('[aria-label="Menu"]')!
  const isOpen = (open: boolean) => waitFor(() => expect(menu().getAttribute('aria-expanded')).toBe(`${open}`))
  const count = document.querySelectorAll('nav a').length
  expect(count).toBeGreaterThan(10)
  for (let n = 0; n < count; n++) {
    fireEvent.click(menu())
    await isOpen(true)
    fireEvent.click(document.querySelectorAll('nav a')[n]!)
    await isOpen(false)
  }
  screen.close()
})

it('what the palette offers to someone who neither operates nor administers anything', async () => {
  const who = { ...member, account: { ...session.account, operator: false } }
  const screen = await openKnown('/workspaces?workspace=w1', undefined, who)
  await screen.key('k', { ctrlKey: true })
  await screen.until('[Sign out]')
  const offered = screen.offered()
  expect(offered).toEqual(expect.arrayContaining(['Members', 'API keys', 'Create a webhook', 'Sign out']))
  expect(offered.filter((name) => ['Invite people', 'Review', 'Users', 'Audit log', 'Quotas'].includes(name))).toEqual(
    [],
  )
  screen.close()
})

it('a page that names no workspace shows the one that was used last, or the first', async () => {
  // Others have opened workspaces before.
  localStorage.clear()
  onTestFinished(() => localStorage.clear())
  async function shownFirst() {
    const screen = await openKnown('/keys', (queryClient) => {
      for (const workspace of ['w1', 'w2'])
        queryClient.setQueryData(keysQuery(workspace).queryKey, { keys: [], most: 20 })
    })
    const address = screen.address()
    screen.close()
    return address
  }
  expect(await shownFirst()).toBe('/keys?workspace=w1')
  const other = await openKnown('/workspaces?workspace=w1')
  await other.press('Workspace: First workspace')
  await other.press('Second')
  other.close()
  expect(await shownFirst()).toBe('/keys?workspace=w2')
  // One that they were removed from since is not theirs any more.
  localStorage.setItem('pricetape.workspace', 'w9')
  expect(await shownFirst()).toBe('/keys?workspace=w1')
})

it('a new account where everyone may have one', async () => {
  const known: Knowledge = (queryClient) =>
    queryClient.setQueryData(visitorQuery.queryKey, { ...visit, signUp: 'open', session: null })
  const screen = await openScreen({ known }, '/sign-up')
  expect(screen.text()).toContain('We send a link to your address. It works for 24 hours.')
  expect(screen.text()).not.toContain('By invitation')
  expect(screen.buttons()).toEqual(['Send the link'])
  screen.close()
})

it('asks to sign in again where the session ended', async () => {
  const parts: string[] = []
  for (const provider of [null, login, { ...login, only: true }]) {
    const screen = await openKnown('/workspaces?workspace=w1', (queryClient) => {
      queryClient.setQueryData(visitorQuery.queryKey, (before) => before && { ...before, provider })
    })
    sessionEnded.notice(new ApiError(401, { code: 'unauthorized', message: 'Ended.' }), 'change')
    await screen.until('Your session has ended')
    parts.push(screen.text())
    screen.close()
    sessionEnded.signedIn()
  }
  await compareWithGolden('again', parts)
})

it('a page of a workspace stays, with what was typed, where its reader is removed', async () => {
  const screen = await members(people)()
  const key: Knowledge = (queryClient) => queryClient.setQueryData(keysQuery('w1').queryKey, { keys: [], most: 20 })
  await screen.go('/keys?workspace=w1', key)
  await screen.press('Create a key')
  await screen.type(/^Name/, 'Nightly')
  await screen.go('/keys?workspace=w1', (queryClient) =>
    queryClient.setQueryData(accountQuery.queryKey, (before) => before && { ...before, workspaces: [] }),
  )
  expect(screen.text()).toContain('You are no longer a member of First workspace')
  expect(screen.fields().join()).toContain('Nightly')
  screen.close()
})
