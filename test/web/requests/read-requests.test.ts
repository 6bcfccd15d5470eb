import { describe, expect, it } from 'vitest'
import { RATE_LIMITS } from '../../../src/accounts/limits/rate-limit-rules.ts'
import { allEntries, auditExportUrl, auditQuery } from '../../../src/web/api/audit.ts'
import { documentQuery, documentsQuery } from '../../../src/web/api/documents.ts'
import { feedPagesQuery, feedQuery, recordedPagesQuery, webhookHealthQuery } from '../../../src/web/api/feed.ts'
import {
  contradictedQuery,
  resourceRowsQuery,
  reviewItemQuery,
  reviewQuery,
  snapshotQuery,
  sourceQuery,
  sourcesQuery,
} from '../../../src/web/api/operator.ts'
import { evidenceQuery, isOfNow, pricesQuery, seriesQuery } from '../../../src/web/api/prices.ts'
import { searchQuery } from '../../../src/web/api/search.ts'
import {
  choicesQuery,
  deliveriesQuery,
  deliveryQuery,
  eventExamplesQuery,
  olderAttempts,
  previewQuery,
  resourcesQuery,
  secretQuery,
  statisticsQuery,
  webhookQuery,
  webhooksQuery,
} from '../../../src/web/api/webhooks.ts'
import { invitationsQuery, keysQuery, membersQuery } from '../../../src/web/api/workspace.ts'
import { MAX_AUDIT_ENTRIES } from '../../../src/web/limits.ts'
import { answering } from './sent.ts'

type Reader = (given: { pageParam?: unknown }) => unknown
/** Reads what a query reads, or its page that begins at a cursor. */
const reading =
  ({ queryFn }: object & { queryFn?: unknown }, pageParam?: string): (() => unknown) =>
  () =>
    (queryFn as Reader)({ pageParam })

const asOf = '2026-01-02T03:04:05Z'
const AT = 'asOf=2026-01-02T03%3A04%3A05Z'
const feed = { types: 'price.changed,tos.changed', providers: 'acme', direction: 'up', minSignificance: 'high', asOf }
const { minSignificance: _, ...recorded } = feed
const FILTER = `types=price.changed%2Ctos.changed&providers=acme&direction=up`

describe('what a page reads', () => {
  it.each<[string, () => unknown]>([
    ['/v1/app/feed?resource=gpt+5&limit=50', reading(feedQuery({ resource: 'gpt 5', limit: '50' }))],
    [`/v1/app/feed?${FILTER}&minSignificance=high&${AT}`, reading(feedPagesQuery(feed))],
    [`/v1/app/feed?${FILTER}&minSignificance=high&${AT}&before=17`, reading(feedPagesQuery(feed), '17')],
    [`/v1/app/feed/recorded?${FILTER}&${AT}`, reading(recordedPagesQuery(recorded))],
    [`/v1/app/feed/recorded?${FILTER}&${AT}&after=17`, reading(recordedPagesQuery(recorded), '17')],
    ['/v1/webhooks?workspace=w1', reading(webhookHealthQuery('w1'))],
    ['/v1/search?q=gpt', reading(searchQuery('gpt'))],
    ['/v1/search?q=gpt&after=17', reading(searchQuery('gpt'), '17')],
    ['/v1/app/prices?', reading(pricesQuery(undefined, undefined))],
    [`/v1/app/prices?${AT}&providers=a%2Cb&confirmed=provider`, reading(pricesQuery(asOf, 'a,b', 'provider'))],
    [`/v1/app/series?${AT}&group=g1`, reading(seriesQuery({ asOf, group: 'g1' }))],
    ['/v1/app/series?resources=%5B%5B%22a%22%2C%22b%22%5D%5D', reading(seriesQuery({ resources: [['a', 'b']] }))],
    ['/v1/app/evidence/h1', reading(evidenceQuery('h1'))],
    [`/v1/app/documents?${AT}`, reading(documentsQuery(asOf))],
    ['/v1/app/documents/acme/a%2Fb?from=v1&to=v2', reading(documentQuery('acme', 'a/b', { from: 'v1', to: 'v2' }))],
    [`/v1/app/documents/acme/terms?${AT}`, reading(documentQuery('acme', 'terms', { asOf }))],
    [
      '/v1/operator/audit?action=signed_in&accountId=a1',
      reading(auditQuery({ action: 'signed_in', accountId: 'a1' }, true)),
    ],
    ['/v1/operator/audit?before=17', reading(auditQuery({}, true), '17')],
    ['/v1/audit?workspace=w1&before=17', reading(auditQuery({ workspace: 'w1' }, false), '17')],
    ['/v1/keys?workspace=w1', reading(keysQuery('w1'))],
    ['/v1/members?workspace=w1', reading(membersQuery('w1'))],
    ['/v1/invitations?workspace=w1', reading(invitationsQuery('w1'))],
    ['/v1/webhooks?workspace=w1', reading(webhooksQuery('w1'))],
    ['/v1/webhooks/h1', reading(webhookQuery('h1'))],
    ['/v1/webhooks/h1/deliveries?', reading(deliveriesQuery('h1'))],
    [
      `/v1/webhooks/h1/deliveries?search=gpt&status=notSent&type=tos.changed&since=2026-01-02T03%3A04%3A05Z`,
      reading(deliveriesQuery('h1', { search: 'gpt', status: 'notSent', type: 'tos.changed', since: asOf })),
    ],
    ['/v1/webhook-statistics?workspace=w1', reading(statisticsQuery('w1'))],
    ['/v1/webhooks/h1/deliveries/d1?', reading(deliveryQuery('h1', 'd1'))],
    ['/v1/webhooks/h1/deliveries/d1?attemptsBefore=1.2.3', () => olderAttempts('h1', 'd1', '1.2.3')],
    ['/v1/choices/resources?search=gpt', reading(resourcesQuery('gpt'))],
    ['/v1/choices/resources?search=gpt&providers=acme%2Cother', reading(resourcesQuery('gpt', ['acme', 'other']))],
    ['/v1/operator/review?kind=price&all=true', reading(reviewQuery({ kind: 'price', all: 'true' }))],
    ['/v1/operator/review/i1', reading(reviewItemQuery('i1'))],
    [
      '/v1/operator/prices?provider=acme&resource=gpt',
      reading(resourceRowsQuery({ provider: 'acme', resource: 'gpt' })),
    ],
    ['/v1/operator/accuracy/contradicted?provider=acme', reading(contradictedQuery('acme'))],
    ['/v1/operator/sources/list', reading(sourceQuery('list'))],
    ['/v1/operator/snapshots/abc', reading(snapshotQuery('abc'))],
  ])('is %s', async (address, read) => {
    const sent = answering()
    await read()
    expect(sent.map(({ method, address: to }) => `${method} ${to}`)).toEqual([`GET ${address}`])
  })

  it('goes on where the page before ended, until there is none', () => {
    const next = (query: { getNextPageParam?: unknown }, cursor?: string | null) =>
      (query.getNextPageParam as (page: object) => unknown)(cursor === undefined ? {} : { next: cursor })
    for (const query of [feedPagesQuery({}), recordedPagesQuery({}), searchQuery('a'), auditQuery({}, true)]) {
      expect(next(query, '17')).toBe('17')
      expect(next(query)).toBeUndefined()
    }
    expect([next(searchQuery('a'), null), next(auditQuery({}, true), null)]).toEqual([undefined, undefined])
  })

  it('is nothing before something is typed or chosen', () => {
    const body = { eventTypes: ['price.changed'], providers: ['*'] } as Parameters<typeof previewQuery>[0]
    expect([searchQuery('').enabled, searchQuery('a').enabled]).toEqual([false, true])
    expect(previewQuery(body).enabled).toBe(true)
    expect(previewQuery({ ...body, eventTypes: [] }).enabled).toBe(false)
    expect(previewQuery({ ...body, providers: [] }).enabled).toBe(false)
    // The secret is read when someone asks for it, and is not kept.
    expect(secretQuery('h1', 'card')).toMatchObject({ enabled: false, gcTime: 0 })
  })
})

describe('how long what was read holds', () => {
  it('is forever for a past instant and for a snapshot, and as usual for prices of now', () => {
    const Forever = Number.POSITIVE_INFINITY
    expect([pricesQuery(asOf, undefined).staleTime, seriesQuery({ asOf }).staleTime]).toEqual([Forever, Forever])
    expect(snapshotQuery('abc').staleTime).toBe(Forever)
    expect([pricesQuery(undefined, 'a').staleTime, seriesQuery({ group: 'g' }).staleTime]).toEqual([
      undefined,
      undefined,
    ])
    expect(evidenceQuery('h1').staleTime).toBe(60_000)
    const choices = [choicesQuery, eventExamplesQuery, resourcesQuery('gpt')].map(({ staleTime }) => staleTime)
    expect(choices).toEqual([300_000, 300_000, 300_000])
  })

  it('ends for prices of now where one of them changed', () => {
    const ofNow = [pricesQuery(undefined, 'a'), seriesQuery({ group: 'g1' })]
    const others = [pricesQuery(asOf, undefined), seriesQuery({ asOf }), documentsQuery(undefined), evidenceQuery('h1')]
    expect(ofNow.map(isOfNow)).toEqual([true, true])
    expect(others.map(isOfNow)).toEqual([false, false, false, false])
  })

  it('is seconds where something happens by itself', () => {
    const often = [webhooksQuery('w1'), webhookQuery('h1'), deliveryQuery('h1', 'd1')]
    expect(often.map(({ refetchInterval }) => refetchInterval)).toEqual([5_000, 5_000, 5_000])
    expect(statisticsQuery('w1').refetchInterval).toBe(60_000)
    const ofOperators = [reviewQuery({}), sourcesQuery, sourceQuery('list')]
    expect(ofOperators.map(({ refetchInterval }) => refetchInterval)).toEqual([30_000, 30_000, 30_000])
  })
})

describe('the audit log as a file', () => {
  const dates = { since: '2026-01-31', until: '2026-02-28' }
  it.each([
    [{ format: 'csv', since: null, until: null }, 'format=csv'],
    [{ format: 'jsonl', since: '2026-01-31', until: null }, 'format=jsonl&since=2026-01-31T00:00:00Z'],
    [{ format: 'csv', ...dates }, 'format=csv&since=2026-01-31T00:00:00Z&until=2026-03-01T00:00:00.000Z'],
  ])('of %j has the last day too', (days, query) => {
    expect(decodeURIComponent(auditExportUrl(days))).toBe(`/v1/operator/audit/export?${query}`)
  })

  it('has the entries of every page', async () => {
    const sent = answering({ body: { entries: ['a', 'b'], next: '2' } }, { body: { entries: ['c'], next: null } })
    expect(await allEntries({ action: 'signed_in' }, true)).toEqual(['a', 'b', 'c'])
    expect(sent.map(({ address }) => address)).toEqual([
      '/v1/operator/audit?action=signed_in&limit=1000',
      '/v1/operator/audit?action=signed_in&before=2&limit=1000',
    ])
  })

  it('has at most 10,000 entries, and asks for no more than a user may at once', async () => {
    const page = { body: { entries: Array.from({ length: MAX_AUDIT_ENTRIES }, (_, n) => n), next: 'more' } }
    const sent = answering(page)
    expect(await allEntries({ workspace: 'w1' }, false)).toHaveLength(10_000)
    expect(sent).toHaveLength(RATE_LIMITS.caller.burst / 2)
  })
})
