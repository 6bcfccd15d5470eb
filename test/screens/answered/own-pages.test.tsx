import '../light-dom.ts'
import type { QueryKey } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { sessionsQuery } from '../../../src/web/api/account.ts'
import { auditQuery } from '../../../src/web/api/audit.ts'
import { type PackedPrices, pricesQuery } from '../../../src/web/api/prices.ts'
import { type Watch, watchesQuery } from '../../../src/web/api/watches.ts'
import { choicesQuery } from '../../../src/web/api/webhooks.ts'
import { invitationsQuery, membersQuery } from '../../../src/web/api/workspace.ts'
import { daysAgo, knownScreens, session, visit } from '../known/known.ts'

const { openAnswered } = knownScreens()

const person = (accountId: string, name: string) => ({
  ...{ accountId, name, email: `${name}@example.com`, role: 'admin' as const, joinedAt: daysAgo(3) },
})

it('someone who leaves a workspace comes to those that are left, without it', async () => {
  const left = { ...session, workspaces: session.workspaces.slice(1) }
  const page = await openAnswered(
    '/members?workspace=w1',
    { 'DELETE /v1/members/a1': [{}], 'GET /v1/session': [{ body: { ...visit, session: left } }] },
    (queryClient) => {
      queryClient.setQueryData(membersQuery('w1').queryKey, { members: [person('a1', 'Olga'), person('a2', 'Nora')] })
      queryClient.setQueryData(invitationsQuery('w1').queryKey, { invitations: [] })
      const none = { pages: [{ entries: [], next: null }], pageParams: [undefined] }
      queryClient.setQueryData(auditQuery({ workspace: 'w1' }, false).queryKey, none)
    },
  )
  await page.press('Actions for Olga')
  await page.press('Leave the workspace')
  await page.press('Leave')
  expect(page.changes()).toEqual(['DELETE /v1/members/a1?workspace=w1'])
  expect(page.address()).toBe('/workspaces')
  expect(page.text()).toContain('Second')
  expect(page.text()).not.toContain('First workspace')
})

it('a watch that was saved is listed as it is now, and how often it is mailed is said', async () => {
  const watch = (more: Partial<Watch> = {}): Watch => ({
    ...{ watchId: 'w1', provider: 'acme', providerName: 'Acme', resource: 'gpt', document: null, title: null },
    ...{ group: null, frequency: 'at_once', minChange: 0, pausedAt: null, createdAt: daysAgo(1), ...more },
  })
  const weekly = watch({ frequency: 'weekly', minChange: 5 })
  const page = await openAnswered(
    '/account/watch?provider=acme&resource=gpt',
    {
      'PATCH /v1/account/watches/w1': [{ body: { watch: weekly } }],
      'GET /v1/account/watches': [{ body: { mails: 'yes', watches: [weekly] } }],
    },
    (queryClient) => {
      queryClient.setQueryData(watchesQuery.queryKey, { mails: 'yes', watches: [watch()] })
      const choices = { providers: [], groups: [], privateEndpoints: false }
      queryClient.setQueryData(choicesQuery.queryKey, choices)
    },
  )
  await page.tick('How often')
  await page.press('Weekly')
  await page.press('Save')
  expect(page.changes()).toEqual(['PATCH /v1/account/watches/w1 {"frequency":"weekly","minChange":0,"paused":false}'])
  expect(await page.effects()).toEqual(['says Saved. Changes are mailed: weekly.'])
  expect(page.address()).toMatch(/^\/account\/watches(\?|$)/)
  expect(page.text()).toContain('Weekly')
  expect(page.text()).toContain('price changes from 5%')
})

it('what is known stays where it cannot be read again, and the reason is shown above', async () => {
  const invited = { email: 'nora@example.com', role: 'member' as const, invitedBy: 'Olga', expiresAt: daysAgo(-3) }
  const signedIn = { current: false, userAgent: 'Firefox/1 Linux', address: '192.0.2.7', createdAt: daysAgo(3) }
  const packed: PackedPrices = {
    ...{ asOf: daysAgo(0), newest: daysAgo(1), first: daysAgo(9), rows: 0, instants: [], facts: [] },
    ...{ providers: {}, creditProviders: [], kinds: [], models: [], resources: [] },
  }
  const pages: [path: string, query: { queryKey: QueryKey }, data: object, known: string][] = [
    ['/account', sessionsQuery, { sessions: [{ ...signedIn, sessionId: 's2', lastSeenAt: daysAgo(1) }] }, '192.0.2.7'],
    [
      '/members?workspace=w1',
      invitationsQuery('w1'),
      { invitations: [{ ...invited, invitationId: 'i1' }] },
      'nora@example.com',
    ],
    ['/prices', pricesQuery(undefined, undefined), packed, 'No models are priced yet'],
  ]
  for (const [path, { queryKey }, data, known] of pages) {
    const page = await openAnswered(path, {}, (client) => {
      client.setQueryData(membersQuery('w1').queryKey, { members: [person('a1', 'Olga')] })
      client.setQueryData(queryKey, data)
    })
    const before = page.text().split('No answer.').length
    await page.queryClient.invalidateQueries({ queryKey })
    await expect.poll(() => page.text().split('No answer.').length, { message: path }).toBe(before + 1)
    expect(page.text(), path).toContain(known)
    page.close()
  }
})
