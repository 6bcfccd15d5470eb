import '../light-dom.ts'
import { afterEach, it } from 'vitest'
import { auditQuery } from '../../../src/web/api/audit.ts'
import { documentsQuery } from '../../../src/web/api/documents.ts'
import { accountsQuery, reviewQuery, sourcesQuery, workspaceUsesQuery } from '../../../src/web/api/operator.ts'
import { choicesQuery, webhookQuery, webhooksQuery } from '../../../src/web/api/webhooks.ts'
import { invitationsQuery, keysQuery, membersQuery } from '../../../src/web/api/workspace.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import type { Knowledge } from '../screen.tsx'
import { daysAgo, hoursAgo, knownScreens } from './known.ts'
import { webhook } from './webhook.ts'

const { openKnown } = knownScreens()
afterEach(() => sessionStorage.clear())

type Steps = Parameters<typeof walk>[1]
type Form = [path: string, steps: Steps, known: Knowledge]

/** What each step of each form changes, and what is sent in the end. */
async function stepsOf(forms: Record<string, Form>): Promise<string[]> {
  const parts: string[] = []
  for (const [name, [path, steps, known]] of Object.entries(forms)) {
    sessionStorage.clear()
    parts.push(`===== ${name}`, ...(await walk(await openKnown(path, known), steps)).slice(1))
  }
  return parts
}

const noEntries = { pages: [{ entries: [], next: null }], pageParams: [undefined] }
const keys: Knowledge = (queryClient) => queryClient.setQueryData(keysQuery('w1').queryKey, { keys: [], most: 20 })
const members: Knowledge = (queryClient) => {
  queryClient.setQueryData(membersQuery('w1').queryKey, { members: [] })
  queryClient.setQueryData(invitationsQuery('w1').queryKey, { invitations: [] })
  queryClient.setQueryData(auditQuery({ workspace: 'w1' }, false).queryKey, noEntries)
}
const uses: Knowledge = (queryClient) =>
  queryClient.setQueryData(workspaceUsesQuery.queryKey, {
    workspaces: [
      {
        ...{ workspaceId: 'w7', name: 'Acme', used: { webhooks: 2, apiKeys: 3, members: 4 } },
        quota: { webhooks: 5, apiKeys: null, members: null, requestsPerMinute: 60 },
      },
    ],
  } as never)
const account = (name: string, more: object = {}) => ({
  ...{ accountId: name, name, email: `${name}@example.com`, operator: false, emailVerifiedAt: hoursAgo(9) },
  ...{
    createdAt: daysAgo(2),
    disabledAt: null,
    lastSeenAt: null,
    sessions: 0,
    totp: false,
    passkeys: 0,
    linked: false,
  },
  ...{ workspaces: [], ...more },
})
const users: Knowledge = (queryClient) =>
  queryClient.setQueryData(accountsQuery.queryKey, {
    accounts: [account('ann'), account('ben', { disabledAt: hoursAgo(1) }), account('cy')],
  })
const hook: Knowledge = (queryClient) => queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })

it('what is chosen in forms, and sent then', async () => {
  const parts = await stepsOf({
    'a key that ends in a month': [
      '/keys?workspace=w1',
      ['Create a key', { field: /^Name/, text: 'Nightly' }, { tick: 'Expires' }, 'in 30 days', 'Create the key'],
      keys,
    ],
    'a key that ends in a year': [
      '/keys?workspace=w1',
      ['Create a key', { field: /^Name/, text: 'Nightly' }, { tick: 'Expires' }, 'in a year', 'Create the key'],
      keys,
    ],
    'an admin who is invited': [
      '/members?workspace=w1',
      [
        ...['Invite people', { field: /^E-mail/, text: 'new@example.com' }, { tick: 'Role' }],
        ...['Admin: also manages people', 'Invite'],
      ],
      members,
    ],
    'quotas of a workspace': [
      '/operator/workspaces',
      [
        'Change the quotas of Acme',
        { field: /^Webhooks/, text: '' },
        { field: /^API keys/, text: '7' },
        { field: /^Members/, text: '0' },
        'Save',
      ],
      uses,
    ],
    'an account that is disabled, with a successor': [
      '/operator/users',
      ['Actions for cy', 'Disable', { tick: /^Successor/ }, 'ann (ann@example.com)', 'Disable'],
      users,
    ],
    'a request that is checked with another secret': [
      '/webhooks/h1/verify?workspace=w1',
      [
        { field: /^Headers/, text: 'webhook-id: evt_1' },
        // A line break at the end is part of what was signed.
        { field: /^Body/, text: '{}\n' },
        { field: /secret$/, text: 'whsec_b3RoZXI=' },
        'Check the request',
      ],
      hook,
    ],
    'a request that is checked': [
      '/webhooks/h1/verify?workspace=w1',
      [{ field: /^Headers/, text: 'webhook-id: evt_1' }, 'Check the request'],
      hook,
    ],
  })
  await compareWithGolden('forms', parts)
})

const choices: Knowledge = (queryClient) => {
  const documents = [{ document: 'terms', title: 'Terms' }]
  queryClient.setQueryData(webhooksQuery('w1').queryKey, { webhooks: [], most: 2 })
  queryClient.setQueryData(choicesQuery.queryKey, {
    providers: [
      { provider: 'acme', name: 'Acme', creditPriced: false, documents },
      { provider: 'credits', name: 'Credits', creditPriced: true, documents: [] },
      { provider: 'other', name: 'Other', creditPriced: false, documents },
    ],
    groups: [{ id: 'g1', name: 'GPT', members: 2 }],
    privateEndpoints: false,
  })
}

it('which events a new webhook receives, and of what', async () => {
  const named = [
    { field: /^Name/, text: 'Orders' },
    { field: /^URL/, text: 'https://hooks.example.com/' },
  ]
  const steps: Record<string, Form> = {
    'of a model, its documents and a group': [
      '/webhooks/new?workspace=w1&provider=acme&resource=a%2Fb',
      [
        ...named,
        ...[{ tick: 'A legal document changes' }, { tick: 'Only these documents' }, 'Terms · Acme', { key: 'Escape' }],
        ...[{ tick: 'Significance of changed documents' }, 'Medium or high'],
        ...[{ tick: 'Only these alias groups' }, 'GPT (2)', { key: 'Escape' }],
        ...[{ field: 'Smallest price change', text: '2.5' }, 'Create the webhook'],
      ],
      choices,
    ],
    // What is counted stays the same for a moment: nothing is chosen that ends the counting.
    'of two providers': [
      '/webhooks/new?workspace=w1&provider=acme',
      [...named, { tick: /^These providers/ }, 'Other', 'Create the webhook'],
      choices,
    ],
    'of all, also in credits': [
      '/webhooks/new?workspace=w1',
      [...named, { tick: 'Also these providers, whose prices are in credits' }, 'Credits', 'Create the webhook'],
      choices,
    ],
  }
  await compareWithGolden('webhook', await stepsOf(steps))
})

const entries: Knowledge = (queryClient) => {
  for (const filter of [{}, { action: 'signed_in' }, { accountId: 'a1' }])
    queryClient.setQueryData(auditQuery(filter, true).queryKey, noEntries as never)
}
const counts = {
  waiting: 2,
  kinds: [{ value: 'price', count: 1 }],
  providers: [{ value: '*', count: 1 }],
  sources: [{ value: 'list', count: 2 }],
  reasons: [{ value: 'power_of_ten', name: 'power of ten', count: 1 }],
}
const FILTERS = [
  {},
  { kind: 'price' },
  { kind: 'price', olderThan: '12h' },
  { kind: 'price', olderThan: '12h', reason: 'power_of_ten' },
  { kind: 'price', olderThan: '12h', reason: 'power_of_ten', all: 'true' },
]
const queue: Knowledge = (queryClient) => {
  for (const filter of FILTERS)
    queryClient.setQueryData(reviewQuery(filter).queryKey, { items: [], matching: 0, all: counts } as never)
}
const listed = (provider: string, document: string) => ({
  ...{ provider, document, title: document, url: 'https://acme.example/', versions: 1, recordedAt: daysAgo(3) },
  effectiveDate: null,
})
const documents: Knowledge = (queryClient) =>
  queryClient.setQueryData(documentsQuery(undefined).queryKey, {
    documents: [listed('acme', 'terms'), listed('other', 'privacy')],
  } as never)
const source = (name: string, problem?: string) => ({
  ...{ source: name, kind: 'prices', format: 'litellm', rank: 'community', witness: false, declared: true },
  ...{
    intervalSeconds: 3_600,
    freshness: 'fresh',
    nextDueAt: hoursAgo(-2),
    failures: 0,
    collecting: false,
    ignored: 0,
  },
  problem,
})
const sources: Knowledge = (queryClient) =>
  queryClient.setQueryData(sourcesQuery.queryKey, {
    sources: [source('good'), source('broken', 'HTTP 500.')],
    offline: false,
  } as never)

it('what narrows lists, which is in the address of their page', async () => {
  const parts = await stepsOf({
    'the audit log': ['/operator/audit', [{ tick: 'Action' }, 'Signed in'], entries],
    'the audit log of a person': ['/operator/audit?who=a1', ['Only one person'], entries],
    'the audit log as a file': ['/operator/audit', ['Download all', { tick: 'Format' }, 'JSON lines'], entries],
    'what waits': [
      '/operator/review',
      [
        ...[{ tick: 'Kind' }, 'Price (1)', { tick: 'Waiting longer than' }, '12 hours', { tick: 'Reason' }],
        ...['power of ten (1)', { tick: 'Include items that resolve themselves' }, 'Clear'],
      ],
      queue,
    ],
    documents: ['/documents', [{ tick: 'Provider' }, 'OTHER'], documents],
    sources: ['/operator/sources', [{ tick: /^Need attention/ }, { tick: /^All/ }], sources],
  })
  await compareWithGolden('lists', parts)
})
