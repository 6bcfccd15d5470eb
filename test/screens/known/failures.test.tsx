import '../light-dom.ts'
import type { QueryKey } from '@tanstack/react-query'
import { it } from 'vitest'
import { sessionsQuery, totpQuery } from '../../../src/web/api/account.ts'
import { auditQuery } from '../../../src/web/api/audit.ts'
import { ApiError, ConnectionError } from '../../../src/web/api/connection/client.ts'
import { documentQuery, documentsQuery } from '../../../src/web/api/documents.ts'
import {
  feedAddressQuery,
  feedPagesQuery,
  overviewQuery,
  recordedPagesQuery,
  webhookHealthQuery,
} from '../../../src/web/api/feed.ts'
import {
  accountsQuery,
  accuracyQuery,
  aliasesQuery,
  contradictedQuery,
  providersQuery,
  resourceRowsQuery,
  reviewQuery,
  sourcesQuery,
  workspaceUsesQuery,
} from '../../../src/web/api/operator.ts'
import { passkeysQuery } from '../../../src/web/api/passkeys.ts'
import { evidenceQuery, pricesQuery, seriesQuery } from '../../../src/web/api/prices.ts'
import { deliveriesQuery, webhookQuery, webhooksQuery } from '../../../src/web/api/webhooks.ts'
import { invitationsQuery, keysQuery, membersQuery } from '../../../src/web/api/workspace.ts'
import { compareWithGolden } from '../check-screen.ts'
import { dayIn, daysAgo, failed, knownScreens, withoutLog } from './known.ts'
import { webhook } from './webhook.ts'

const { openKnown, shownOf } = knownScreens()

const refusal = (status: number, code: string, message: string) => new ApiError(status, { code, message } as never)
const ERROR = refusal(500, 'internal', 'It broke.')
const MISSING = refusal(404, 'not_found', 'There is nothing.')
const noFilter = { types: undefined, providers: undefined, direction: undefined, asOf: undefined }

const day = {
  day: dayIn(0),
  measuredAt: daysAgo(1),
  groups: [],
  total: { published: 0, hoursMedian: null, hoursP90: null },
}
const none = { contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 }
const measured = { newest: day, history: [{ ...day.total, ...none, day: day.day }] }

/** Each page, and what of it could not be read. */
const PAGES: [path: string, unread: { queryKey: QueryKey }[], error?: Error][] = [
  ['/', [feedPagesQuery({}), feedAddressQuery, webhookHealthQuery('w1'), overviewQuery]],
  ['/?direction=up', [recordedPagesQuery({ ...noFilter, direction: 'up' })]],
  ['/prices', [pricesQuery(undefined, undefined)]],
  ['/prices/acme/gpt', [seriesQuery({ asOf: undefined, resources: [['acme', 'gpt']] })]],
  [
    '/prices/acme/lost',
    [seriesQuery({ asOf: undefined, resources: [['acme', 'lost']] })],
    refusal(400, 'history_lost', 'Too old.'),
  ],
  ['/compare/g1', [seriesQuery({ asOf: undefined, group: 'g1' })], MISSING],
  ['/documents', [documentsQuery(undefined)]],
  ['/documents/acme/terms-of-use', [documentQuery('acme', 'terms-of-use', {})]],
  ['/documents/acme/lost', [documentQuery('acme', 'lost', {})], MISSING],
  ['/evidence/h1', [evidenceQuery('h1')]],
  ['/evidence/h2', [evidenceQuery('h2')], MISSING],
  ['/webhooks', [webhooksQuery('w1')], new ConnectionError({ cause: undefined })],
  ['/webhooks/h1?workspace=w1', [deliveriesQuery('h1')]],
  ['/webhooks/lost?workspace=w1', [webhookQuery('lost')], refusal(404, 'not_found', 'It was deleted.')],
  ['/keys', [keysQuery('w1')]],
  ['/members', [membersQuery('w1'), invitationsQuery('w1')]],
  ['/account', [sessionsQuery, totpQuery, passkeysQuery]],
  ['/operator/review', [reviewQuery({})]],
  ['/operator/sources', [sourcesQuery]],
  ['/operator/aliases', [aliasesQuery]],
  ['/operator/providers', [providersQuery]],
  ['/operator/prices?provider=acme&resource=gpt', [resourceRowsQuery({ provider: 'acme', resource: 'gpt' })]],
  ['/operator/accuracy', [accuracyQuery]],
  ['/operator/accuracy?provider=acme', [contradictedQuery('acme')]],
  ['/operator/users', [accountsQuery]],
  ['/operator/workspaces', [workspaceUsesQuery]],
  ['/operator/audit', [auditQuery({}, true)]],
]

it('what could not be read is said where it would be', async () => {
  withoutLog()
  const pages = PAGES.map(([path, unread, error = ERROR]) => {
    const open = () =>
      openKnown(path, (queryClient) => {
        queryClient.setQueryData(accuracyQuery.queryKey, measured)
        const nothing = { pages: [{ items: [] }], pageParams: [undefined] }
        queryClient.setQueryData(feedPagesQuery({ direction: 'up' }).queryKey, nothing)
        queryClient.setQueryData(webhookQuery('h1').queryKey, { webhook: webhook() })
        for (const { queryKey } of unread) failed(queryClient, queryKey, error)
      })
    return [path, open] as const
  })
  const parts = await shownOf(Object.fromEntries(pages))
  await compareWithGolden('unread', parts)
})
