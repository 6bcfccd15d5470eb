import '../light-dom.ts'
import type { QueryKey } from '@tanstack/react-query'
import { waitFor } from '@testing-library/dom'
import { expect, it, onTestFinished } from 'vitest'
import {
  type AccountOverview,
  type AliasGroup,
  type AliasProposal,
  accountsQuery,
  accuracyQuery,
  aliasesQuery,
  providersQuery,
  type Source,
  type SourceDetails,
  sourceQuery,
  sourcesQuery,
  workspaceUsesQuery,
} from '../../../src/web/api/operator.ts'
import { type Answers, daysAgo, hoursAgo, knownScreens, refused } from '../known/known.ts'

const { openAnswered } = knownScreens()

const member = (resource: string) => ({ provider: 'acme', resource })
const group = (id: string, more: Partial<AliasGroup> = {}): AliasGroup => ({
  ...{ id, name: `Group ${id}`, revision: 3, updatedAt: daysAgo(2), members: [member('one'), member('two')], ...more },
})
const proposal = (name: string): AliasProposal => ({
  ...{ name, joins: [member(name)], members: [member(name)], reasons: ['the name'] },
})
const account = (more: Partial<AccountOverview> = {}): AccountOverview => ({
  ...{ accountId: 'cy', name: 'cy', email: 'cy@example.com', operator: false, emailVerifiedAt: hoursAgo(9) },
  ...{ createdAt: daysAgo(2), disabledAt: null, lastSeenAt: null, sessions: 0, totp: false, passkeys: 0 },
  ...{ linked: false, workspaces: [], ...more },
})
const source: Source = {
  ...{ source: 'list', kind: 'prices', format: 'litellm', rank: 'community', witness: false, declared: true },
  ...{ intervalSeconds: 3_600, freshness: 'fresh', nextDueAt: hoursAgo(-2), failures: 0, collecting: false },
  ignored: 0,
}
const LIST = 'GET /v1/operator/aliases'
/** The page of groups, which are these when they are read again. */
const aliases = (answers: Answers, groups: AliasGroup[], proposals: AliasProposal[] = [], now = groups) =>
  openAnswered(
    `/operator/aliases${proposals.length > 0 ? '?tab=proposals' : ''}`,
    { [LIST]: [{ body: { groups: now, proposals: [] } }], ...answers },
    (queryClient) => queryClient.setQueryData(aliasesQuery.queryKey, { groups, proposals }),
  )
const SAVE = 'PUT /v1/operator/aliases/g1'
const stale = refused(409, 'alias_changed', 'Group g1 was saved meanwhile.')
const revisions = (requests: string[]) => requests.map((one) => JSON.parse(one.replace(`${SAVE} `, '')).ifRevision)

it('a group that someone else saved meanwhile is saved on top of theirs, and shown as saved', async () => {
  const [mine, other] = [group('g1'), group('g0', { name: 'Before it' })]
  const theirs = group('g1', { name: 'Theirs', revision: 4, members: [member('two'), member('three')] })
  const saved = { ...theirs, name: 'Saved by both' }
  const page = await aliases(
    {
      [SAVE]: [stale, { body: { id: 'g1', revision: 5, joined: [], left: [] } }],
      [LIST]: [{ body: { groups: [other, theirs], proposals: [] } }, { body: { groups: [saved], proposals: [] } }],
    },
    [other, mine],
  )
  await page.press('Edit Group g1')
  await page.type(/^Members/, 'acme:one\nacme:two\nacme:new')
  expect(page.text()).toContain('Joins: acme:new.')
  await page.press('Save')
  expect(revisions(page.changes())).toEqual([3])
  await page.until('Someone else saved this group')
  expect(page.text()).toContain('It is called Theirs now.')
  expect(page.text()).toContain('Joins: acme:one, acme:new. Leaves: acme:three.')
  expect(page.text()).not.toContain('Group not saved')
  await page.press('Save')
  expect(revisions(page.changes())).toEqual([4])
  await page.until('Saved by both')
  expect(page.offered(), 'the form is closed').toEqual([])
})

it('a group whose new version is not known says why it was not saved', async () => {
  const cases: [name: string, answers: Answers, now: AliasGroup[]][] = [
    ['it cannot be read', { [SAVE]: [stale], [LIST]: [refused(400, 'unknown', 'Not read.')] }, []],
    ['it is gone', { [SAVE]: [stale] }, [group('g0')]],
    ['another refusal', { [SAVE]: [refused(409, 'other', 'Group g1 was saved meanwhile.')] }, [group('g1')]],
  ]
  for (const [name, answers, now] of cases) {
    const page = await aliases(answers, [group('g1')], [], now)
    await page.press('Edit Group g1')
    await page.type(/^Members/, 'acme:one')
    await page.press('Save')
    await page.until('Group g1 was saved meanwhile.')
    expect(page.text(), name).toContain('Group not saved')
    expect(page.text(), name).toContain('{Members *: acme:one}')
    expect(page.text(), name).not.toContain('Someone else')
    page.close()
  }
})

it('what is known stays on a page that cannot be read again, with the dialog that is open', async () => {
  const quota = { webhooks: 5, apiKeys: null, members: null, requestsPerMinute: 60 }
  const used = { workspaceId: 'w7', name: 'Known', used: { webhooks: 2, apiKeys: 3, members: 4 }, quota }
  const provider = { provider: 'known', name: 'Known', status: 'active' as const, since: daysAgo(3), sources: [] }
  const total = { published: 0, hoursMedian: null, hoursP90: null }
  const day = { day: '2026-01-01', contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 }
  const newest = { day: day.day, measuredAt: daysAgo(1), groups: [], total }
  const pages: [path: string, query: { queryKey: QueryKey }, data: object, known: string][] = [
    ['workspaces', workspaceUsesQuery, { workspaces: [used] }, 'Known'],
    ['users', accountsQuery, { accounts: [account({ name: 'Known' })] }, 'Known'],
    ['providers', providersQuery, { providers: [{ ...provider, freshness: 'fresh', resources: 1 }] }, 'Known'],
    ['accuracy', accuracyQuery, { newest, history: [{ ...day, ...total }] }, 'Last 30 days'],
    ['sources', sourcesQuery, { sources: [source], offline: false }, 'list'],
  ]
  for (const [path, { queryKey }, data, known] of pages) {
    const page = await openAnswered(`/operator/${path}`, {}, (client) => client.setQueryData(queryKey, data))
    if (path === 'workspaces') await page.press('Change the quotas of Known')
    const { length } = page.offered()
    await page.queryClient.invalidateQueries({ queryKey })
    await page.until('No answer.')
    expect(page.text(), path).toContain(known)
    expect(page.offered(), path).toHaveLength(length)
    page.close()
  }
})

const ACCEPT = 'POST /v1/operator/aliases/accept'
const skipped = (...names: string[]) => names.map((name) => ({ name, message: `${name} is taken.` }))
const accepted = (saved: string[], ...others: string[]) => ({
  body: { saved: saved.map((name) => ({ name, joined: 1 })), skipped: skipped(...others) },
})

it('what an accepted proposal came to is said where it was not saved', async () => {
  const said = async (answer: Answers[string][number], ...pressed: string[]) => {
    const page = await aliases({ [ACCEPT]: [answer] }, [], [proposal('a'), proposal('b')])
    for (const button of pressed) await page.press(button)
    await page.until('No proposals')
    const effects = await page.effects()
    page.close()
    return effects
  }
  expect(await said(accepted(['a']), 'Accept a')).toEqual([])
  expect(await said(accepted([], 'a'), 'Accept a')).toEqual(['says a was not saved: a is taken.'])
  expect(await said(accepted([]), 'Accept a')).toEqual([
    'says a was not saved: The names no longer suggest it, or someone else accepted it.',
  ])
  expect(await said(accepted(['a', 'b']), 'Accept all 2', 'Accept all')).toEqual([])
  expect(await said(accepted(['a'], 'b'), 'Accept all 2', 'Accept all')).toEqual(['says b was not saved: b is taken.'])
  expect(await said(accepted([], 'a', 'b'), 'Accept all 2', 'Accept all')).toEqual([
    'says 2 groups were not saved: a: a is taken. b: b is taken.',
  ])
})

it('an account that was disabled is shown so, and the dialog is closed', async () => {
  const page = await openAnswered(
    '/operator/users',
    {
      'PATCH /v1/operator/accounts/cy': [{}],
      'GET /v1/operator/accounts': [{ body: { accounts: [account({ disabledAt: hoursAgo(0), name: 'cy who was' })] } }],
    },
    (queryClient) => queryClient.setQueryData(accountsQuery.queryKey, { accounts: [account()] }),
  )
  await page.press('Actions for cy')
  await page.press('Disable')
  await page.press('Disable')
  expect(page.changes()).toEqual(['PATCH /v1/operator/accounts/cy {"disabled":true}'])
  await page.until('cy who was')
  expect(page.offered(), 'the dialog is closed').toEqual([])
})

const WITHIN_SECONDS = { timeout: 20_000 }

it('a source that was started is looked at at once, and again when it is likely done', async () => {
  const details: SourceDetails = { source, outcomes: [], ignored: [] }
  const answers: Answers = {
    'POST /v1/operator/sources/list/collect': [{ status: 202 }],
    'GET /v1/operator/sources': [{ body: { sources: [source], offline: false } }],
    'GET /v1/operator/sources/list': [{ body: details }],
  }
  const page = await openAnswered('/operator/sources?source=list', answers, (queryClient) => {
    queryClient.setQueryData(sourcesQuery.queryKey, { sources: [source], offline: false })
    queryClient.setQueryData(sourceQuery('list').queryKey, details)
  })
  // What waits for some seconds does so until the test goes on.
  const { setTimeout } = globalThis
  const later: [work: () => void, wait: number][] = []
  globalThis.setTimeout = ((work: () => void, wait = 0) =>
    wait < 4_000 || wait > 10_000 ? setTimeout(work, wait) : void later.push([work, wait])) as typeof setTimeout
  onTestFinished(() => void Object.assign(globalThis, { setTimeout }))
  await page.press('Run now')
  expect(page.changes()).toEqual(['POST /v1/operator/sources/list/collect'])
  expect(await page.effects()).toEqual([
    'says list is being read: The result appears here. Changes go out with the next check.',
  ])
  const both = ['/v1/operator/sources', '/v1/operator/sources/list']
  const ofSources = () => page.reads().filter((path) => path.startsWith('/v1/operator/sources'))
  expect(ofSources().sort()).toEqual(both)
  for (const [work, wait] of later) if (wait === 5_000) work()
  const again: string[] = []
  await waitFor(() => {
    again.push(...ofSources())
    expect(again.sort()).toEqual(both)
  }, WITHIN_SECONDS)
})

it('the log is saved as it is narrowed', async () => {
  const entry = {
    ...{ entryId: 'e1', at: hoursAgo(1), action: 'key_created', accountId: 'a1', email: 'olga@example.com' },
    ...{ workspaceId: null, workspace: null, subject: 'k1', subjectName: 'Key', address: null, detail: {} },
  }
  const page = await openAnswered('/operator/audit?action=key_created&who=a1', {
    'GET /v1/operator/audit': [{ body: { entries: [entry], next: null } }],
  })
  page.reads()
  await page.press('Download CSV')
  const narrowed = expect.stringMatching(/^\/v1\/operator\/audit\?(?=.*action=key_created)(?=.*accountId=a1)/)
  // What is shown is read again after whatever was done.
  expect(page.reads().sort()).toEqual([narrowed, narrowed, '/v1/session'])
  expect((await page.effects()).join()).toContain('saves audit-log')
})
