import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import {
  type FeedItem,
  feedAddressQuery,
  feedPagesQuery,
  overviewQuery,
  recordedPagesQuery,
  webhookHealthQuery,
} from '../../../src/web/api/feed.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { dayIn, daysAgo, hoursAgo, knownScreens, overview, provider } from './known.ts'
import { webhook } from './webhook.ts'

const { openKnown, shownOf } = knownScreens()

const [at, before, earlier, first] = [2, 3, 4, 5].map(daysAgo) as [Instant, Instant, Instant, Instant]
const item = (type: FeedItem['type'], more: Partial<FeedItem> = {}): FeedItem => ({
  ...{ seq: '1', id: '', type, provider: 'acme', at, ...more },
})
const price = { dimension: 'input_tokens', currency: 'USD', per: 'million tokens' }
const read = (address: string) => ({ read: { address, at: daysAgo(3), rank: 'provider' as const } })
const added = (n: number, more: Partial<FeedItem> = {}) =>
  item('resource.added', { resource: `m-${n}`, lines: 1, ...more })
const announced = (resource: string, more: Partial<FeedItem>) =>
  item('price.announced', { ...price, resource, before: '2', after: '3', effectiveFrom: dayIn(30), ...more })
const versions = { from: { versionId: 'v1', recordedAt: daysAgo(9) }, to: { versionId: 'v2', recordedAt: daysAgo(2) } }
const terms = { document: 'terms', title: 'Terms', ...versions, wordsRemoved: 1, wordsAdded: 5 }

/** Every kind of change, in each of its forms. */
const ITEMS: FeedItem[] = [
  item('price.changed', {
    ...{ ...price, resource: 'gpt', before: '2', after: '1.5', direction: 'down', percent: '−25%' },
    ...read('https://acme.example/prices'),
  }),
  item('price.changed', {
    ...{ ...price, resource: 'gpt', dimension: 'output_tokens', tier: { service: 'batch' }, before: '8', after: '9' },
    ...{ direction: 'up', percent: '+12.5%', ...read('https://acme.example/prices') },
  }),
  item('price.changed', { ...price, resource: 'gpt', dimension: 'cache_read_tokens', after: '0.2', ...read('list') }),
  item('price.changed', { ...price, resource: 'gpt', dimension: 'cache_write_tokens', before: '0.4' }),
  item('price.changed', { ...price, provider: 'other', resource: 'gpt', before: '2', after: '1.8', direction: 'down' }),
  item('price.changed', { ...price, resource: 'same', before: '1', after: '1', direction: 'same' }),
  announced('soon', { direction: 'up', percent: '+50%', action: 'announced' }),
  announced('later', { action: 'changed', replaces: { price: '2.5', effectiveFrom: dayIn(9) } }),
  announced('never', { action: 'withdrawn', after: undefined, replaces: { price: '3', effectiveFrom: dayIn(9) } }),
  announced('gone', {
    action: 'withdrawn',
    before: undefined,
    after: undefined,
    replaces: { price: '3', effectiveFrom: dayIn(9) },
  }),
  item('price.corrected', { ...price, resource: 'wrong', action: 'withdrawn', before: '9', reason: 'Misread.' }),
  item('price.corrected', { ...price, resource: 'right', action: 'restored', after: '9' }),
  item('price.revised', { ...price, resource: 'revised', before: '1', after: '1', revised: ['unit', 'tier'] }),
  added(0, { provider: 'other', lines: 2 }),
  item('resource.added', { provider: 'other', resource: 'tomorrow', at: before, lines: 1 }),
  ...Array.from({ length: 9 }, (_, n) => added(n + 1)),
  item('resource.removed', { resource: 'left' }),
  ...[1, 2].map((n) => item('resource.removed', { provider: 'other', resource: `left-${n}` })),
  item('resource.renamed', { resource: 'new-name', previousResource: 'old-name' }),
  item('alias.member_added', { resource: 'joined', name: 'GPT' }),
  item('alias.member_removed', { resource: 'parted', name: 'GPT', at: earlier }),
  item('alias.member_removed', { resource: 'parted', name: 'GPT', groupDeleted: true, at: first }),
  ...[1, 2].map((n) => item('alias.member_added', { provider: 'other', resource: `member-${n}`, name: 'GPT' })),
  item('tos.changed', { ...terms, classification: 'substantive', significance: 'high', topics: ['price', 'dates'] }),
  item('tos.changed', { ...terms, classification: 'minor', wordsRemoved: 2, wordsAdded: 0 }),
  item('provider.added', { name: 'Acme Inc.' }),
  item('provider.added', { provider: 'unnamed' }),
]
  .sort((a, b) => b.at.localeCompare(a.at))
  .map((one, n) => ({ ...one, id: `evt_${n}` }))

type Fixture = { filter?: object; items?: FeedItem[]; next?: string; recorded?: FeedItem[]; recordedNext?: string }
const pages = (items: FeedItem[], next: string | undefined) => ({
  pages: [{ items, ...(next !== undefined && { next }) }],
  pageParams: [undefined],
})
const feed =
  ({ filter = {}, items = [], next, recorded = [], recordedNext }: Fixture) =>
  (queryClient: QueryClient) => {
    const { minSignificance: _, ...narrower } = filter as { minSignificance?: string }
    queryClient.setQueryData(feedPagesQuery(filter).queryKey, pages(items, next))
    queryClient.setQueryData(recordedPagesQuery(narrower).queryKey, pages(recorded, recordedNext))
    queryClient.setQueryData(feedAddressQuery.queryKey, { feed: null })
    queryClient.setQueryData(webhookHealthQuery('w1').queryKey, { webhooks: [], most: 10 })
  }

it('every kind of change, grouped by day', async () => {
  const parts = await walk(await openKnown('/', feed({ items: ITEMS, next: '1' })), ['and 1 more'])
  await compareWithGolden('kinds', parts)
})

const stale = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => provider(slug, 'stale'))
const [asOf, forgotten] = [daysAgo(10), daysAgo(40)]

it('why no changes are shown, and what is beside them', async () => {
  const parts = await shownOf({
    'nothing yet': () => openKnown('/', feed({})),
    'nothing matches': () => openKnown('/?providers=["acme"]', feed({ filter: { providers: 'acme' } })),
    'nothing went up': () => openKnown('/?direction=up', feed({ filter: { direction: 'up' } })),
    'nothing of the price history can match': () =>
      openKnown('/?types=["tos.changed"]&direction=up', feed({ filter: { types: 'tos.changed', direction: 'up' } })),
    'nothing by then': () => openKnown(`/?asOf=${asOf}`, feed({ filter: { asOf } })),
    'no longer stored': () => openKnown(`/?asOf=${forgotten}`, feed({ filter: { asOf: forgotten } })),
    'of the price history': () =>
      openKnown(
        '/?minSignificance=high',
        feed({
          ...{ filter: { minSignificance: 'high' }, recorded: [added(1)], recordedNext: '["1"]' },
        }),
      ),
    'some are stale, a feed is there, and webhooks fail': () =>
      openKnown(`/?asOf=${asOf}`, (queryClient) => {
        feed({ filter: { asOf } })(queryClient)
        queryClient.setQueryData(overviewQuery.queryKey, {
          ...overview(),
          providers: [...stale, provider('fresh'), { ...provider('new', 'stale'), lastCheckedAt: null }],
          waiting: 1,
        })
        queryClient.setQueryData(feedAddressQuery.queryKey, {
          feed: { createdAt: daysAgo(1), lastUsedAt: hoursAgo(2) },
        })
        const failing = Array.from({ length: 6 }, (_, n) =>
          webhook({ id: `h${n}`, name: `Hook ${n}`, failuresInRow: n }),
        )
        const webhooks = [...failing, webhook({ id: 'paused', name: '', state: 'paused', failuresInRow: 3 })]
        queryClient.setQueryData(webhookHealthQuery('w1').queryKey, { webhooks, most: 10 })
      }),
    'two wait': () =>
      openKnown('/', (queryClient) => {
        feed({})(queryClient)
        queryClient.setQueryData(overviewQuery.queryKey, {
          ...overview(),
          providers: [...stale.slice(0, 5)],
          waiting: 2,
        })
      }),
  })
  await compareWithGolden('states', parts)
})

it('filters that are chosen, one after the other', async () => {
  const steps: [step: Parameters<typeof walk>[1][number][], filter: object][] = [
    [[{ tick: 'Providers' }, 'ACME', { key: 'Escape' }], { providers: 'acme' }],
    [[{ tick: 'Kinds of changes' }, 'New', { key: 'Escape' }], { types: 'resource.added' }],
    [[{ tick: 'Changes of documents' }, 'Medium or high'], { minSignificance: 'medium' }],
    [[{ tick: '▼ Down' }], { direction: 'down' }],
    [[{ tick: 'Any' }], { direction: undefined }],
    [[{ tick: 'Changes of documents' }, 'Any significance'], { minSignificance: undefined }],
  ]
  const screen = await openKnown('/', (queryClient) => {
    let filter = {}
    feed({})(queryClient)
    for (const [, more] of steps) {
      filter = { ...filter, ...more }
      feed({ filter, items: ITEMS.slice(0, 1) })(queryClient)
    }
  })
  await compareWithGolden(
    'filters',
    (
      await walk(
        screen,
        steps.flatMap(([one]) => one),
      )
    ).slice(1),
  )
})

it('what is taken away of narrowed changes', async () => {
  const filter = {
    types: 'price.changed,resource.added',
    providers: 'acme,other',
    direction: 'down',
    minSignificance: 'high',
    asOf,
  }
  const path = `/?types=["price.changed","resource.added"]&providers=["acme","other"]&direction=down&minSignificance=high&asOf=${asOf}`
  const screen = await openKnown(path, feed({ filter, items: ITEMS.slice(0, 4) }))
  await compareWithGolden('taken', await walk(screen, ['Export', 'Download CSV', 'Export', 'Show the request']))
})
