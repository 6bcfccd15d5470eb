import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { it } from 'vitest'
import {
  type AccountOverview,
  type AccuracyGroup,
  accountsQuery,
  accuracyQuery,
  aliasesQuery,
  contradictedQuery,
  providersQuery,
  resourceRowsQuery,
} from '../../../src/web/api/operator.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import type { Knowledge } from '../screen.tsx'
import { daysAgo, hoursAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

const counts = (contradicted: number, byProvider = 0, independent = 0, ownList = 0, unconfirmed = 0) => ({
  contradicted,
  byProvider,
  independent,
  ownList,
  unconfirmed,
})
const lag = (published: number, hoursMedian: number | null = null, hoursP90 = hoursMedian) => ({
  published,
  hoursMedian,
  hoursP90,
})
const said = (day: number, week = 0, month = 0, before = 0) => ({ day, week, month, before })
const GROUPS: AccuracyGroup[] = [
  { provider: 'acme', rank: 'provider', ...counts(1_200, 5, 1, 0, 1), said: said(1_000, 2, 3, 4), ...lag(1, 2.25, 24) },
  { provider: 'other', rank: 'verified', ...counts(0, 0, 0, 3), said: said(0, 3), ...lag(1_500, 1) },
]
const contradicted = (n: number, more: object = {}) => ({
  ...{
    contentHash: `c${n}`,
    source: 'list',
    resource: `gpt-${n}`,
    dimension: 'output_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
  },
  ...{
    pricingTier: '{}',
    price: '0.000002',
    others: [{ source: 'litellm', rank: 'community' as const, price: '0.0000025' }],
    ...more,
  },
})
const accuracy =
  (days: number, count: number, prices: ReturnType<typeof contradicted>[]) => (queryClient: QueryClient) => {
    const history = Array.from({ length: days }, (_, n) => ({
      day: daysAgo(days - n).slice(0, 10),
      ...counts(n, 90, 0, 0, 10 * n),
      ...lag(0),
    }))
    queryClient.setQueryData(accuracyQuery.queryKey, {
      newest: { day: daysAgo(1).slice(0, 10), measuredAt: hoursAgo(2), total: lag(3, 1.5, 3), groups: GROUPS },
      history,
    })
    queryClient.setQueryData(contradictedQuery('acme').queryKey, { prices, count })
  }
const open = (path: string, known: Knowledge) => () => openKnown(`/operator/${path}`, known)

it('how accurate prices are', async () => {
  const shown = await shownOf({
    'not measured': open('accuracy', (queryClient) =>
      queryClient.setQueryData(accuracyQuery.queryKey, { history: [] }),
    ),
    'one day': open('accuracy', accuracy(1, 0, [])),
    'three days, and a provider of which none is contradicted': open('accuracy?provider=acme', accuracy(3, 0, [])),
    'a provider of which some are': open(
      'accuracy?provider=acme',
      accuracy(2, 5, [contradicted(1), contradicted(2, { since: daysAgo(3), pricingTier: '{"service":"batch"}' })]),
    ),
  })
  await compareWithGolden('accuracy', shown)
})

const account = (name: string, more: Partial<AccountOverview> = {}): AccountOverview => ({
  ...{
    accountId: name,
    name,
    email: `${name}@example.com`,
    operator: false,
    emailVerifiedAt: hoursAgo(9),
    createdAt: daysAgo(2),
  },
  ...{
    disabledAt: null,
    lastSeenAt: hoursAgo(3),
    sessions: 1,
    totp: false,
    passkeys: 0,
    linked: false,
    workspaces: ['First'],
    ...more,
  },
})
const USERS = [
  account('ann', {
    operator: true,
    totp: true,
    passkeys: 2,
    linked: true,
    sessions: 2,
    workspaces: ['First', 'Second'],
  }),
  account('ben', {
    disabledAt: hoursAgo(1),
    emailVerifiedAt: null,
    sessions: 0,
    passkeys: 1,
    lastSeenAt: null,
    workspaces: [],
  }),
  account('cy'),
]
it('what an operator does with accounts', async () => {
  const users = open('users', (queryClient) => queryClient.setQueryData(accountsQuery.queryKey, { accounts: USERS }))
  const parts = await walk(await users(), ['Actions for ann', 'Remove the passkeys', 'Remove'])
  for (const [who, what, button] of [
    ['ann', 'Reset the authenticator app', 'Stop asking'],
    ['ann', 'Unlink from single sign-on', 'Unlink'],
    ['ann', 'Sign out everywhere', 'Sign out'],
    ['ann', 'Take operator rights away', 'Take them away'],
    ['ben', 'Remove the passkeys', 'Remove'],
    ['cy', 'Disable', 'Disable'],
  ] as const)
    parts.push(...(await walk(await users(), [`Actions for ${who}`, what, button])).slice(1))
  parts.push(...(await walk(await users(), ['Actions for ben', 'Enable'])).slice(1))
  await compareWithGolden('users', parts)
})

const provider = (slug: string, more: object = {}) => ({
  ...{
    provider: slug,
    name: slug.toUpperCase(),
    status: 'active' as const,
    since: daysAgo(3),
    freshness: 'fresh' as const,
  },
  ...{ lastCheckedAt: undefined, sources: ['list', 'page'], resources: 1_200, ...more },
})
const row = (n: number, more: object = {}) => ({
  ...{
    contentHash: `r${n}`,
    source: 'list',
    resource: 'gpt',
    dimension: 'output_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier: '{}',
  },
  ...{ price: '0.000002', status: 'auto_approved', recordedAt: daysAgo(n), published: false, newest: false, ...more },
})
const group = (n: number, members = 2) => ({
  ...{ id: `g${n}`, name: `Group ${n}`, revision: 3, updatedAt: daysAgo(2) },
  members: Array.from({ length: members }, (_, m) => ({
    provider: 'acme',
    resource: `${m === 1 ? 'GPT' : 'gpt'}-${n}-${m}`,
  })),
})
const proposal = (n: number, groupId: string | null = null) => ({
  ...{ name: `New ${n}`, groupId, reasons: ['the name', 'the name', 'a list'] },
  ...{
    joins: [{ provider: 'acme', resource: `gpt-${n}` }],
    members: [0, 1, 2].map((m) => ({ provider: 'acme', resource: `gpt-${m}` })),
  },
})
const groups =
  (groupCount: number, proposals: ReturnType<typeof proposal>[] = []) =>
  (queryClient: QueryClient) =>
    queryClient.setQueryData(aliasesQuery.queryKey, {
      groups: Array.from({ length: groupCount }, (_, n) => group(n)),
      proposals,
    } as never)

it('what else operators see', async () => {
  const providers = [
    provider('acme'),
    provider('new', { status: 'pending', freshness: 'unknown' }),
    provider('old', { status: 'retired', freshness: 'stale', lastCheckedAt: hoursAgo(3), resources: 0, sources: [] }),
  ]
  const listed: Knowledge = (queryClient) => queryClient.setQueryData(providersQuery.queryKey, { providers } as never)
  const rows = [
    row(1, { newest: true, published: true }),
    row(2, { published: true, pricingTier: '{"service":"batch"}' }),
    row(3, { status: 'withdrawn' }),
    row(4, { status: 'approved', price: '0.00000225' }),
  ]
  const shown = await shownOf({
    providers: open('providers', listed),
    'providers with a word': open('providers?q=AC', listed),
    'a provider by its slug': open('providers?q=m-l', (queryClient) =>
      queryClient.setQueryData(providersQuery.queryKey, {
        providers: [...providers, { ...provider('m-l'), name: 'Em' }],
      } as never),
    ),
    'no providers': open('providers?q=nothing', listed),
    prices: open('prices?provider=acme&resource=gpt', (queryClient) =>
      queryClient.setQueryData(resourceRowsQuery({ provider: 'acme', resource: 'gpt' }).queryKey, { rows } as never),
    ),
    'never published': open('prices?provider=acme&resource=gpt', (queryClient) =>
      queryClient.setQueryData(resourceRowsQuery({ provider: 'acme', resource: 'gpt' }).queryKey, { rows: [] }),
    ),
    'no groups': open('aliases', groups(0)),
    'no groups with a word': open('aliases?q=nothing', groups(2)),
    'groups with a member': open('aliases?q=GPT-1', groups(3)),
    'groups with a member in capitals': open('aliases?q=gpt-1-1', groups(3)),
    'no proposals': open('aliases?tab=proposals', groups(0)),
    'a proposal': open('aliases?tab=proposals', groups(0, [proposal(1, 'g1')])),
    proposals: open('aliases?tab=proposals', groups(0, [proposal(1), proposal(2)])),
  })
  const last = async (open: () => ReturnType<typeof openKnown>) =>
    (await shownOf({ more: open }))[0]!.split('\n').slice(-4).join('\n')
  shown.push(
    await last(open('aliases', groups(201))),
    await last(
      open(
        'aliases?tab=proposals',
        groups(
          0,
          Array.from({ length: 101 }, (_, n) => proposal(n)),
        ),
      ),
    ),
  )
  shown.push(
    ...(
      await walk(await open('aliases?tab=proposals', groups(0, [proposal(1), proposal(2)]))(), [
        'Accept New 1',
        'Accept all 2',
        'Accept all',
      ])
    ).slice(1),
  )
  const edit = await open('aliases', groups(1))()
  shown.push(
    ...(
      await walk(edit, [
        'Edit Group 0',
        { field: /^Members/, text: 'acme:gpt-0-1\n\n other:new \nnothing\nbedrock:claude-v2:1' },
        'Save',
      ])
    ).slice(1),
  )
  await compareWithGolden('pages', shown)
})
